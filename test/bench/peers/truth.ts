import { type Weakness, weaknessNames } from '../../../dev/demo/weaknesses.ts';

/**
 * The ground truth: which weaknesses the targets were built with. Of the shop those that a visitor of the web site can
 * see; its records of DNS and mail are left out, since no other tool here is asked to look at them.
 */
const inRecords: readonly Weakness[] = [
  ...(['zoneForAll', 'anyIssuer', 'mailServerGone', 'anyoneMaySend', 'forgedMailDelivered'] as const),
  ...(['shortMailKey', 'mailPolicyWithoutHost', 'reportsGoNowhere'] as const),
];
export const shopWeaknesses: readonly string[] = weaknessNames.filter((name) => !inRecords.includes(name));

export const headerWeaknesses: readonly string[] = [
  ...['no HSTS', 'no Content-Security-Policy', 'framing allowed', 'types guessed', 'no Referrer-Policy'],
  ...['cookie without Secure', 'cookie readable by script', 'no redirect to HTTPS'],
];

/** Of the five TLS servers, by name. */
export const tlsWeaknesses = {
  good: [],
  old: ['protocol TLS 1.0', 'protocol TLS 1.1'],
  expired: ['certificate expired', 'certificate untrusted'],
  weak: ['suites without encryption', 'no forward secrecy'],
  dhe: ['Diffie-Hellman of 1024 bits'],
} as const;
