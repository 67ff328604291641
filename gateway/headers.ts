import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GatewayRefusal } from './errors.ts';

/** On every answer. An API answers programs: nothing may be cached, framed, sniffed or run. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** For a document that a browser shows: its own style sheet and inline images, and nothing else, from nowhere else. */
export const documentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Without allow-scripts: a script that got past the escaping would still not run. Links to references may open.
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** What core's answers say about the call, returned as it is. */
const returnedHeaders = ['ratelimit', 'ratelimit-policy', 'idempotency-replayed'];

/** The caller's own request id when it is one that is safe to log, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/**
 * Programs in front of us may have gone by another one of two hosts than Node.js, which takes the first.
 * Source: RFC 9112 §3.2.
 * @throws Refusal BAD_REQUEST
 */
export function requireOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new GatewayRefusal('BAD_REQUEST', 'Send one Host header.');
}

/**
 * The headers that are sent to core. The caller's key is passed on unchanged, for core to verify; the org header is not:
 * it is for service keys, which do not use REST.
 */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  requestId: string,
  address: string,
): Record<string, string> {
  const { authorization } = headers;
  return {
    'x-request-id': requestId,
    'x-scan-audit-client': address,
    // gRPC metadata is visible ASCII. No key has other characters, so a key with a "?" instead is just as invalid.
    ...(authorization !== undefined && { authorization: authorization.replace(/[^\x20-\x7e]/g, '?') }),
  };
}

/**
 * The Idempotency-Key header for core, which has the rule of what a key may be. Refused here is what could not reach it.
 * @param given values of the header, one for each time that it was sent
 * @throws Refusal INVALID_PARAMETER
 */
export function idempotencyHeader(given: readonly string[] | undefined): Record<string, string> {
  const [key, ...others] = given ?? [];
  if (key === undefined) return {};
  if (others.length === 0 && /^[\x20-\x7e]*$/.test(key)) return { 'idempotency-key': key };
  const message = 'must be given once, in ASCII';
  throw new GatewayRefusal(
    'INVALID_PARAMETER',
    `The Idempotency-Key header ${message}. Correct it, then send the request again.`,
    {
      errors: [{ field: 'Idempotency-Key', message }],
    },
  );
}

export function returned(headers: Headers): [name: string, value: string][] {
  return returnedHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
}
