import { ProbeError } from '../../model/probe-error.ts';
import { canonicalHost } from '../guard/address.ts';
import { portOf } from '../scope.ts';

/** A URL taken apart, its path and query byte for byte as written. */
export type RequestTarget = {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  origin: string;
  path: string;
  /** A WebSocket (RFC 6455 §3), which takes a body as one message. */
  isSocket: boolean;
};

/**
 * Only the origin is normalised: probes depend on paths such as "/a/../b" and "/%2e%2e/" arriving as they are.
 * @throws ProbeError `protocol_error` when the URL cannot be requested
 */
export function requestTarget(url: string): RequestTarget {
  const match = /^(https?|wss?):\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (!match || !URL.canParse(url))
    throw new ProbeError('protocol_error', `not an http or https URL: ${url.slice(0, 200)}`);
  const parsed = new URL(url);
  const isSecure = /^(?:https|wss):$/.test(parsed.protocol);
  const [, , , rest = ''] = match;
  return {
    scheme: isSecure ? 'https' : 'http',
    host: canonicalHost(parsed.hostname),
    port: portOf(parsed),
    origin: `${isSecure ? 'https' : 'http'}://${parsed.host}`,
    isSocket: parsed.protocol.startsWith('ws'),
    path: sendable(rest.startsWith('/') ? rest : `/${rest}`),
  };
}

/** What a request line cannot carry is percent-encoded; everything else stays. Source: RFC 9112 §3.2. */
const sendable = (path: string): string =>
  path.toWellFormed().replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text));
