import { isIPv6 } from 'node:net';
import { getOption } from '@bufbuild/protobuf';
import { field } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { StartScanRequestSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { invalid as invalidField, Refusal } from '../errors.ts';

/** What a scan is aimed at. */
export type Target = {
  /** Absolute http or https URL, as WHATWG serialises it, without fragment. A bare host gives "https://<host>/". */
  url: string;
  /** Lower-case ASCII name without trailing dot, or a canonical IP address (IPv6 without brackets). */
  host: string;
  /** Only when it is not the scheme's own. */
  port?: number;
  /** False for a bare host: then https is tried first and plain http after it. */
  schemeGiven: boolean;
};

/** Longest URL that is accepted, before and after it is normalised. */
const { maxLength: maxUrlLength } = getOption(StartScanRequestSchema.field.url, field);

/** RFC 1035 §2.3.4: 255 octets on the wire, which is 253 characters of text. */
const maxHostLength = 253;

/** RFC 952 and 1123 letters, digits and inner hyphens; the underscore is not theirs but is in use. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Reads the `url` of a start: a URL or a bare host, by the WHATWG URL standard, but without its leniencies that hide typing mistakes.
 * @throws Refusal INVALID_URL, whose detail says what to write instead
 */
export function parseTarget(input: string): Target {
  const text = input.trim();
  if (text === '') throw invalid('Give the URL or the host to audit, for instance "https://www.example.com".');
  if (text.length > maxUrlLength) throw tooLong();
  refuseCharacters(text);
  const schemeGiven = hasScheme(text);
  if (!schemeGiven && /^[/?#]/.test(text)) throw invalid('Begin with "https://" or with the host name.');
  const whole = schemeGiven ? text : `https://${bracketed(text)}`;
  const authority = whole.slice(whole.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@'))
    throw invalid('Leave user name and password out of the URL. Test logins are stored with the domain.');
  refusePort(authority);
  const parsed = URL.parse(whole);
  if (!parsed) throw invalid(`"${clip(authority)}" is not a host name or address. Check its spelling.`);
  parsed.hash = '';
  const host = hostOf(parsed, schemeGiven);
  if (parsed.href.length > maxUrlLength) throw tooLong();
  return { url: parsed.href, host, schemeGiven, ...(parsed.port === '' ? {} : { port: Number(parsed.port) }) };
}

/** The spelling under which scans of a bare host are stored, or undefined when the text is not one. */
export function canonicalHost(input: string): string | undefined {
  try {
    const { host, url, schemeGiven } = parseTarget(input);
    return schemeGiven || url !== `https://${bracketed(host)}/` ? undefined : host;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const invalid = (whatToDo: string) => invalidField('INVALID_URL', 'url', whatToDo);
const tooLong = () => invalid(`Shorten the URL to at most ${maxUrlLength.toLocaleString('en')} characters.`);
const clip = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

function refuseCharacters(text: string): void {
  if (!text.isWellFormed()) throw invalid('The URL is not well-formed Unicode text.');
  if (/[\s\p{Cc}]/u.test(text))
    throw invalid('Remove spaces and control characters from the URL, or percent-encode them.');
  if (text.includes('\\')) throw invalid('Use "/" instead of "\\" in the URL.');
}

/** True for "http://…" and "https://…", false for a host with or without a port. */
function hasScheme(text: string): boolean {
  if (/^https?:\/\/[^/]/i.test(text)) return true;
  if (/^https?:/i.test(text)) throw invalid('Write the host after "https://", for instance "https://www.example.com".');
  const isOther = /^[a-z][a-z0-9+.-]*:(?!\d*(?:[/?#]|$))/i.test(text) || /^[^/?#]*:\/\//.test(text);
  if (isOther && !isIPv6(text)) throw invalid('Only http and https can be audited. Begin the URL with "https://".');
  return false;
}

/** An IPv6 address needs brackets in a URL; people leave them out. */
const bracketed = (text: string) => (isIPv6(text) ? `[${text}]` : text);

function refusePort(authority: string): void {
  const port = /:(\d*)$/.exec(authority)?.[1];
  if (port === undefined || port === '') return;
  if (Number(port) < 1 || Number(port) > 65_535) throw invalid('Use a port from 1 to 65535.');
}

/** @param mayBeLocal a URL may name the machine itself, which an operator may approve; a bare word is more likely a slip */
function hostOf(parsed: URL, mayBeLocal: boolean): string {
  const ipv6 = /^\[(.*)\]$/.exec(parsed.hostname)?.[1];
  if (ipv6 !== undefined) return ipv6;
  if (parsed.hostname.endsWith('.')) parsed.hostname = parsed.hostname.slice(0, -1);
  const host = parsed.hostname;
  const labels = host.split('.');
  if (host.length > maxHostLength || !labels.every((part) => label.test(part)))
    throw invalid(`"${clip(host)}" is not a host name. Use letters, digits, hyphens and dots.`);
  if (labels.length < 2 && !(mayBeLocal && host === 'localhost'))
    throw invalid(`Give the full name of the host, with its domain: "${clip(host)}" is only one label.`);
  return host;
}
