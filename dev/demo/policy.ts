import type { Weaknesses } from './weaknesses.ts';

/** Security headers of every answer. */
export function policyHeaders(weaknesses: Weaknesses, nonce: string): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(weaknesses, nonce),
    ...(!weaknesses.framingAllowed && { 'x-frame-options': 'DENY' }),
    ...(!weaknesses.typesGuessed && { 'x-content-type-options': 'nosniff' }),
    'referrer-policy': weaknesses.referrerToAll ? 'unsafe-url' : 'strict-origin-when-cross-origin',
    ...(!weaknesses.noIsolation && isolation),
    ...(!weaknesses.noStrictTransport && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    ...(weaknesses.versionsNamed && versions),
  };
}

function contentPolicy(weaknesses: Weaknesses, nonce: string): string {
  const policy = weaknesses.inlineScriptsAllowed ? lenientPolicy : strictPolicy(nonce);
  return weaknesses.framingAllowed ? policy : `${policy}; frame-ancestors 'none'`;
}

const lenientPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; object-src 'none'";

const strictPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'`;

const isolation = {
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const versions = { server: `linde-shop/2.4.0 Node.js/${process.versions.node}`, 'x-powered-by': 'Fastify/5.12.8' };
