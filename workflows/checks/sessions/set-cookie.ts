import { parseDate } from 'tough-cookie';

/** A Set-Cookie line, taken apart as browsers do. Source: RFC 6265 §5.2. */
export type SetCookie = {
  name: string;
  value: string;
  /** By lower-case name; without a value it is "". The last one of a name wins. */
  attributes: ReadonlyMap<string, string>;
  secure: boolean;
  httpOnly: boolean;
};

/** @returns undefined when a browser would ignore the line */
export function parseSetCookie(line: string): SetCookie | undefined {
  const [pair = '', ...rest] = line.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  if (name === '') return undefined;
  const attributes = new Map(rest.map(attribute));
  return {
    name,
    value: pair.slice(equals + 1).trim(),
    attributes,
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
  };
}

function attribute(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals === -1) return [text.trim().toLowerCase(), ''];
  return [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()];
}

/** The line takes a cookie away instead of setting one. */
export function isDeletion({ value, attributes }: SetCookie, now: Date): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  // What is no date of a cookie ("0", "Session") is ignored: then it lives as long as the browser. Source: RFC 6265 §5.1.1.
  const expires = parseDate(attributes.get('expires'));
  return value === '' || value === '""' || (expires !== undefined && expires <= now);
}

/**
 * Browsers refuse these without Secure, so such a line sets nothing that could leak.
 * Source: RFC 6265bis §5.7 (prefixes, and SameSite=None as browsers have it).
 */
export const isRefusedWithoutSecure = ({ name, attributes }: SetCookie): boolean =>
  /^__(?:secure|host)-/i.test(name) || attributes.get('samesite')?.toLowerCase() === 'none';

/**
 * Browsers keep no cookie from this line: it is for a domain that the host is not in, or breaks the promise of its name.
 * Source: RFC 6265bis §5.7; CHIPS §4.
 */
export function isRefused(cookie: SetCookie, url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  const domain = (cookie.attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  if (domain !== '' && domain !== host && !host.endsWith(`.${domain}`)) return true;
  if (!/^__host-/i.test(cookie.name)) return !cookie.secure && cookie.attributes.has('partitioned');
  return !cookie.secure || domain !== '' || cookie.attributes.get('path') !== '/';
}
