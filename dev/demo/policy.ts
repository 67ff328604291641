import type { Weaknesses } from './weaknesses.ts';

/** Security headers of every answer. */
export function policyHeaders(weaknesses: Weaknesses, nonce: string): Record<string, string> {
  return {
    'content-security-policy': weaknesses.inlineScriptsAllowed ? lenientPolicy : strictPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(!weaknesses.noStrictTransport && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

const lenientPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

const strictPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
