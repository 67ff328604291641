import { inflateSync } from 'node:zlib';
import type { BrowserResult } from '../model/browser.ts';
import type { DnsAnswer, DnsReply } from '../model/dns.ts';
import type { Exchange } from '../model/http.ts';
import { jsonAt } from '../model/json-pointer.ts';
import type { SmtpLook } from '../model/smtp.ts';
import type { CertificateInfo, TlsHandshake } from '../model/tls.ts';
import type { HelloAnswer } from '../model/tls-hello.ts';
import { fieldValues } from '../probe/html/submission.ts';
import { valuesOf } from '../probe/http/exchange.ts';
import { archiveEntries } from './archive.ts';
import { dkimKeyBits } from './dkim-key.ts';
import { fileReader } from './files/file-subjects.ts';
import { readPack } from './git-pack.ts';
import { helloSubjects } from './hello-words.ts';
import { sourcesIn } from './source-map.ts';

/** What an action of a step brought back. */
export type Observed =
  | { kind: 'http'; exchange: Exchange }
  | { kind: 'tls'; handshake: TlsHandshake }
  | { kind: 'no-tls'; code: 'unreachable' | 'tls_failed'; message: string }
  | { kind: 'hello'; answer: HelloAnswer }
  | { kind: 'dns'; reply: DnsReply }
  | { kind: 'smtp'; look: SmtpLook }
  | { kind: 'browser'; result: BrowserResult };

/** A claim names a subject that its step's kind of action does not have: a mistake of the check, not of the target. */
export class UnknownSubject extends Error {
  override name = 'UnknownSubject';
}

/** Inflated bytes that are looked at; a bomb is cut there by refusing it. */
const maxInflatedBytes = 1_048_576;

/**
 * The value that a claim is about; undefined when the observation has no such thing.
 * Subjects are listed at `Assertion`.
 * @throws UnknownSubject
 */
export function subjectValue(observed: Observed, subject: string): string | undefined {
  switch (observed.kind) {
    case 'http':
      return httpSubject(observed.exchange, subject);
    case 'tls':
      return tlsSubject(observed.handshake, subject);
    case 'no-tls':
      return subject === 'tls:failure' ? observed.code : undefined;
    case 'hello':
      return known(helloSubjects(observed.answer), subject, 'The answer to a ClientHello');
    case 'smtp':
      return smtpSubject(observed.look, subject);
    case 'dns':
      return dnsSubject(observed.reply, subject);
    case 'browser':
      return browserSubject(observed.result, subject);
  }
}

/** "header:x" → ["header", "x"]; the rest keeps further colons. */
function split(subject: string): [kind: string, rest: string] {
  const colon = subject.indexOf(':');
  return colon === -1 ? [subject, ''] : [subject.slice(0, colon), subject.slice(colon + 1)];
}

function httpSubject(exchange: Exchange, subject: string): string | undefined {
  const [kind, rest] = split(subject);
  if (kind === 'header' && rest) return exchange.header(rest);
  if (kind === 'request' && rest) return lines(valuesOf(exchange.request.headers, rest));
  if (kind === 'headers' && rest) return lines(exchange.headerValues(rest));
  if (kind === 'cookie' && rest) return setCookieLine(exchange, rest);
  const packed = packedObject(subject);
  if (packed) return readPack(exchange.body).get(packed)?.content.toString('utf8');
  const [, target, field] = /^body:form:(\S+) (.+)$/s.exec(subject) ?? [];
  if (target && field) return lines(fieldValues(exchange.text, exchange.request.url, target, field));
  const reader = fileReader(subject);
  if (reader) return reader(exchange);
  if (subject.startsWith('body:json:')) return jsonAt(exchange.text, subject.slice('body:json:'.length));
  switch (subject) {
    case 'status':
      return String(exchange.status);
    case 'body':
    case 'body:masked':
      return exchange.text;
    case 'body:archive':
      return archiveEntries(exchange.body)?.join('\n');
    case 'body:source-map':
      return sourcesIn(exchange.text)?.join('\n');
    case 'body:inflate':
      return inflate(exchange.body);
    case 'location:origin':
      return resolvedLocation(exchange)?.origin;
    default:
      throw new UnknownSubject(`An HTTP answer has no "${subject}".`);
  }
}

/** The object that "body:pack:<id>" asks for. */
const packedObject = (subject: string): string | undefined => /^body:pack:([0-9a-f]{40})$/.exec(subject)?.[1];

/** Packs and source maps are larger than pages: bytes of body that these subjects need, undefined when the instrument's default will do. */
export const bodyBytesFor = (subjects: readonly string[]): number | undefined =>
  subjects.some((subject) => subject.startsWith('body:pack:') || subject === 'body:source-map')
    ? maxPackBytes
    : undefined;

/** Bytes of a pack or source map that are fetched. */
export const maxPackBytes = 16 * 1024 * 1024;

const lines = (values: readonly string[]): string | undefined => (values.length === 0 ? undefined : values.join('\n'));

/** RFC 6265 §5.2: the name ends at the first "=", surrounding white space is not part of it. The last line of a name wins. */
export function setCookieLine(exchange: Exchange, name: string): string | undefined {
  return exchange.headerValues('set-cookie').findLast((line) => cookieName(line) === name);
}

export const cookieName = (setCookie: string): string => setCookie.slice(0, Math.max(0, setCookie.indexOf('='))).trim();

function inflate(body: Uint8Array): string | undefined {
  try {
    return inflateSync(body, { maxOutputLength: maxInflatedBytes }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Where a browser would go: the first Location header, parsed by the URL Standard against the URL asked for. */
function resolvedLocation(exchange: Exchange): URL | undefined {
  const location = exchange.header('location');
  if (location === undefined) return undefined;
  return URL.parse(location, exchange.request.url) ?? undefined;
}

function tlsSubject(handshake: TlsHandshake, subject: string): string | undefined {
  if (subject === 'tls:failure') return undefined;
  if (subject === 'tls:protocol') return handshake.protocol;
  if (subject === 'tls:error') return handshake.authorizationError || undefined;
  if (subject === 'tls:signatures') return lines(handshake.signatures);
  if (subject === 'tls:path') return handshake.path?.end;
  if (subject === 'tls:path.validFrom') return handshake.path?.validFrom;
  if (subject === 'tls:path.validTo') return handshake.path?.validTo;
  if (subject === 'tls:early-data-bytes')
    return handshake.maxEarlyDataBytes ? String(handshake.maxEarlyDataBytes) : undefined;
  if (subject === 'tls:must-staple') return handshake.revocation?.mustStaple ? 'true' : undefined;
  if (subject === 'tls:staple') return handshake.staple;
  const [, field] = /^tls:certificate\.(\w+)$/.exec(subject) ?? [];
  const leaf = handshake.chain[0];
  if (field === undefined) throw new UnknownSubject(`A TLS handshake has no "${subject}".`);
  if (leaf === undefined) return undefined;
  if (!(field in leaf)) throw new UnknownSubject(`A certificate has no "${field}".`);
  const value = leaf[field as keyof CertificateInfo];
  return Array.isArray(value) ? lines(value) : String(value);
}

/** @throws UnknownSubject */
function known(subjects: Record<string, string | undefined>, subject: string, what: string): string | undefined {
  if (!Object.hasOwn(subjects, subject)) throw new UnknownSubject(`${what} has no "${subject}".`);
  return subjects[subject];
}

function dnsSubject(reply: DnsReply, subject: string): string | undefined {
  if (subject === 'dns:rcode') return reply.rcode;
  if (subject === 'dns:answers') return lines(reply.answers.map((answer) => answer.data));
  if (subject === 'dns:records') return lines(reply.answers.map(recordLine));
  if (subject === 'dns:authority') return lines(reply.authority.map(recordLine));
  if (subject === 'dns:authoritative') return String(reply.authoritative);
  if (subject === 'dns:dnssec') return reply.dnssec?.status;
  if (subject === 'dns:dnssec-zone') return reply.dnssec?.zone;
  if (subject === 'dns:dnssec-fault') return reply.dnssec?.fault;
  if (subject === 'dns:dkim-key-bits') return dkimKeyBits(reply)?.toString();
  throw new UnknownSubject(`A DNS reply has no "${subject}".`);
}

function smtpSubject({ greeting, extensions, startTls }: SmtpLook, subject: string): string | undefined {
  if (subject === 'smtp:greeting') return greeting;
  if (subject === 'smtp:extensions') return lines(extensions);
  if (subject === 'smtp:starttls') return startTls;
  throw new UnknownSubject(`A mail server has no "${subject}".`);
}

export const recordLine = ({ name, type, data }: DnsAnswer): string => `${name} ${type} ${data}`;

function browserSubject(result: BrowserResult, subject: string): string | undefined {
  const [, area, entry = ''] = /^browser:(local|session)-storage:(.+)$/s.exec(subject) ?? [];
  if (area !== undefined) return entryOf(area === 'local' ? result.localStorage : result.sessionStorage, entry);
  switch (subject) {
    case 'browser:dialogs':
      return lines(result.dialogs);
    case 'browser:html':
      return result.html;
    case 'browser:requests':
      return lines(result.requests.map((request) => request.url));
    case 'browser:url':
      return result.finalUrl;
    case 'browser:frames':
      return lines(result.frames);
    case 'browser:csp':
      return lines(result.cspViolations);
    case 'browser:mixed-content':
      return lines(result.mixedContent);
    case 'browser:cookies':
      return result.scriptCookies || undefined;
    case 'browser:cookies-sent':
      return lines(result.cookiesSent);
    case 'browser:libraries':
      return lines(result.libraries);
    case 'browser:prototype':
      return lines(result.prototype);
    default:
      throw new UnknownSubject(`A browser's visit has no "${subject}".`);
  }
}

const entryOf = (entries: Record<string, string>, name: string): string | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;
