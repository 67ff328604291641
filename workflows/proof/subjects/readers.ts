import { gunzipSync, inflateSync, constants as zlib } from 'node:zlib';
import type { DnsAnswer } from '../../model/dns.ts';
import type { Exchange } from '../../model/http.ts';
import type { CertificateInfo, TlsHandshake } from '../../model/tls.ts';
import type { HelloAnswer } from '../../model/tls-hello.ts';
import { fieldValues } from '../../probe/html/submission.ts';
import { type SettingFormat, settingFormats } from '../files/settings.ts';
import { UnknownSubject } from './observed.ts';

/** Bytes of a pack or source map that are fetched. */
export const maxPackBytes = 16 * 1024 * 1024;
/** Inflated bytes that are looked at; a bomb is cut there by refusing it. */
const maxInflatedBytes = 1_048_576;
/** The head of a dump is enough; a bomb is refused. */
const maxPackedBytes = 65_536;
const maxUnpackedBytes = 16 * 1_048_576;
const maxTextBytes = 1_048_576;

export const lines = (values: readonly string[] | undefined): string | undefined =>
  values === undefined || values.length === 0 ? undefined : values.join('\n');

/** RFC 6265 §5.2: the name ends at the first "=", surrounding white space is not part of it. The last line of a name wins. */
export function setCookieLine(exchange: Exchange, name: string): string | undefined {
  return exchange.headerValues('set-cookie').findLast((line) => cookieName(line) === name);
}

export const cookieName = (setCookie: string): string => setCookie.slice(0, Math.max(0, setCookie.indexOf('='))).trim();

/** @param place the path with query that a form goes to, and the name of its field */
export function formField({ text, request }: Exchange, place: string): string | undefined {
  const [, target = '', field = ''] = formPlace.exec(place) ?? [];
  return lines(fieldValues(text, request.url, target, field));
}

export const formPlace = /^(\S+) (.+)$/s;

export function inflate({ body }: Exchange): string | undefined {
  try {
    return inflateSync(body, { maxOutputLength: maxInflatedBytes }).toString('utf8');
  } catch {
    return undefined;
  }
}

export function gunzip({ body }: Exchange): string | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return undefined;
  try {
    // What is cut off has no proper end.
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes };
    return gunzipSync(body.subarray(0, maxPackedBytes), options).toString('utf8', 0, maxTextBytes);
  } catch {
    return undefined;
  }
}

/** Where a browser would go: the first Location header, parsed by the URL Standard against the URL asked for. */
export function redirectOrigin(exchange: Exchange): string | undefined {
  const location = exchange.header('location');
  return location === undefined ? undefined : URL.parse(location, exchange.request.url)?.origin;
}

/** @throws UnknownSubject */
export function formatOf(text: string): SettingFormat {
  const format = settingFormats.find((each) => each === text);
  if (format === undefined) throw new UnknownSubject(`No file has the format "${text}".`);
  return format;
}

/** @throws UnknownSubject */
export function certificateField({ chain: [leaf] }: TlsHandshake, field: string): string | undefined {
  if (leaf === undefined) return undefined;
  if (!(field in leaf)) throw new UnknownSubject(`A certificate has no "${field}".`);
  const value = leaf[field as keyof CertificateInfo];
  return Array.isArray(value) ? lines(value) : String(value);
}

/** A choice that was not offered is none. */
export const ofChoice = ({ outcome }: HelloAnswer, word: string | undefined): string | undefined =>
  outcome === 'accepted' ? word || undefined : undefined;

export const recordLine = ({ name, type, data }: DnsAnswer): string => `${name} ${type} ${data}`;

export const entryOf = (entries: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;
