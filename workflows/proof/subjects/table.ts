import { createHash } from 'node:crypto';
import { jsonAt } from '../../model/json-pointer.ts';
import { valuesOf } from '../../probe/http/exchange.ts';
import { archiveEntries } from '../archive.ts';
import { dkimKeyBits } from '../dkim-key.ts';
import { dsStoreNames } from '../files/ds-store.ts';
import { logKind } from '../files/log-lines.ts';
import { logSecrets } from '../files/log-secrets.ts';
import { privateData } from '../files/private-data.ts';
import { privateKeys, publicKeyDigests } from '../files/private-keys.ts';
import { secretSettingNames, settingNames } from '../files/settings.ts';
import { sqliteTables } from '../files/sqlite.ts';
import { fittedLine } from '../fitted-line.ts';
import { readPack } from '../git-pack.ts';
import { numberInCookie } from '../plain-number.ts';
import { sourcesIn } from '../source-map.ts';
import * as read from './readers.ts';
import { browser, callback, dns, hello, http, type SubjectRow, smtp, tls } from './row.ts';
import * as views from './views.ts';

const { lines } = read;
/** Answers are excerpts; what is read of files are names and kinds, and no secret. */
const excerpt = { keeping: 'excerpt' } as const;
const header = { keeping: 'header', source: 'head' } as const;
const large = { keeping: 'excerpt', need: 'large-body' } as const;

/**
 * All that a claim or capture can look at, each with how it is read, kept and shown. `<…>` stands for what the claim names.
 * Values of several lines have one thing a line; what is not there has no value.
 */
export const subjects = {
  status: http('status of the answer', ({ status }) => String(status)),
  'header:<name>': http('a header', (exchange, name) => exchange.header(name), header),
  'headers:<name>': http('all values of a header', (exchange, name) => lines(exchange.headerValues(name)), header),
  'cookie:<name>': http('the Set-Cookie line of a cookie', read.setCookieLine, {
    keeping: 'cookie',
    source: 'set-cookie',
  }),
  'cookie-number:<name>': http(
    'the whole number that the value of a cookie is, ends with, encodes, or is a digest of',
    numberInCookie,
    { source: 'set-cookie' },
  ),
  'request:<name>': http('a header as it was sent', ({ request }, name) => lines(valuesOf(request.headers, name)), {
    keeping: 'header',
    source: 'session-cookies',
  }),
  'location:origin': http('where a browser is redirected to', read.redirectOrigin),
  body: http('the body', ({ text }) => text, { keeping: 'excerpt', source: 'pattern-in-body' }),
  'body:masked': http('the body, of which no more is kept than what the claims match', ({ text }) => text, {
    keeping: 'matched',
    source: 'pattern-in-body',
  }),
  'body:form:<target> <field>': http(
    'values of a field, as a browser would send them, in the forms that go to this path and query',
    read.formField,
    { ...excerpt, rest: read.formPlace, source: 'form-field' },
  ),
  'body:json:<pointer>': http(
    'JSON of the value at an RFC 6901 pointer, for instance `"user"`',
    ({ text }, at) => jsonAt(text, at),
    { ...excerpt, rest: /^/, source: 'json-member' },
  ),
  'body:inflate': http('what was compressed by zlib', read.inflate, { ...excerpt, view: () => views.inflated }),
  'body:gunzip': http('what was gzipped', read.gunzip, { keeping: 'matched', view: () => views.unzipped }),
  'body:pack:<id>': http(
    'an object of the Git pack that the body is',
    ({ body }, id) => readPack(body).get(id)?.content.toString('utf8'),
    { ...large, rest: /^[0-9a-f]{40}$/, view: (_body, id) => views.throughGit(id) },
  ),
  'body:archive': http(
    'names of the first entries of a ZIP or tar archive',
    ({ body }) => archiveEntries(body)?.join('\n'),
    {
      ...excerpt,
      view: views.listed,
    },
  ),
  'timing:elapsed': http(
    'milliseconds from the request to the end of the answer',
    ({ elapsedMs }) => String(Math.round(elapsedMs)),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:slope:<points>': http(
    'seconds by which answers become later for each second of delay, by regression over points as 0=12,2=2015',
    (_exchange, points) => fittedLine(points)?.slope.toFixed(3),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:noise:<points>': http(
    'milliseconds by which the farthest of these points misses that line',
    (_exchange, points) => fittedLine(points)?.noiseMs.toFixed(0),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:unanswered': http('milliseconds in which no answer came', () => undefined, { need: 'silence' }),
  'body:settings:<format>': http(
    'names of the settings of a file, for instance `database.host`; formats: env, ini, json, yaml, xml, and code that assigns literals',
    ({ text }, format) => settingNames(read.formatOf(format), text),
    excerpt,
  ),
  'body:secret-settings:<format>': http(
    'those that by their names and values are secrets',
    ({ text }, format) => secretSettingNames(read.formatOf(format), text),
    excerpt,
  ),
  'body:sqlite': http('tables of an SQLite database', ({ body }) => sqliteTables(body)?.join('\n'), {
    ...excerpt,
    view: () => views.tablesIn,
  }),
  'body:ds-store': http('names in a .DS_Store', ({ body }) => dsStoreNames(body)?.join('\n'), {
    ...excerpt,
    view: () => views.namesInUtf16,
  }),
  'body:private-keys': http('kinds of private keys', ({ body }) => privateKeys(body)?.join('\n'), excerpt),
  'body:public-key-digests': http(
    'SHA-256 of the public parts of private keys',
    ({ body }) => publicKeyDigests(body)?.join('\n'),
    excerpt,
  ),
  'body:log': http('what kind of log it is', ({ text }) => logKind(text), excerpt),
  'body:log-secrets': http('kinds of secrets in the lines of a log', ({ text }) => logSecrets(text), excerpt),
  'body:private-data': http(
    'kinds of private data of people, with their number',
    ({ text }) => privateData(text),
    excerpt,
  ),
  'body:sha1': http('SHA-1 of the body', ({ body }) => createHash('sha1').update(body).digest('hex'), {
    ...excerpt,
    view: () => views.piped('sha1sum'),
  }),
  'body:hex': http('the first 32 bytes', ({ body }) => Buffer.from(body.subarray(0, 32)).toString('hex'), excerpt),
  'body:source-map': http(
    'names of the sources whose text a source map holds',
    ({ text }) => sourcesIn(text)?.join('\n'),
    large,
  ),

  'tls:protocol': tls('version that was agreed on', ({ protocol }) => protocol),
  'tls:error': tls('why the certificate is not trusted', ({ authorizationError }) => authorizationError || undefined),
  'tls:failure': tls('why no handshake came about: unreachable or tls_failed', () => undefined, { need: 'failure' }),
  'tls:certificate.<field>': tls('a field of the leaf certificate', read.certificateField, { rest: /^\w+$/ }),
  'tls:path': tls(
    'whom the certificates lead to: trusted, self-signed, incomplete or refused',
    ({ path }) => path?.end,
  ),
  'tls:path.validFrom': tls('begin of the time in which all of them are valid', ({ path }) => path?.validFrom),
  'tls:path.validTo': tls('end of that time', ({ path }) => path?.validTo),
  'tls:signatures': tls('algorithms of the signatures that a client relies on, the leaf first', ({ signatures }) =>
    lines(signatures),
  ),
  'tls:must-staple': tls('"true" when the certificate demands a response of OCSP', ({ revocation }) =>
    revocation?.mustStaple ? 'true' : undefined,
  ),
  'tls:staple': tls('what the response of OCSP says that came along (see Staple)', ({ staple }) => staple, {
    need: 'staple',
  }),
  'tls:early-data-bytes': tls(
    'most that a session ticket allows',
    ({ maxEarlyDataBytes }) => (maxEarlyDataBytes ? String(maxEarlyDataBytes) : undefined),
    { need: 'session-ticket' },
  ),

  'hello:version': hello('version that was chosen of an offer', (answer) => read.ofChoice(answer, answer.version)),
  'hello:suite': hello('cipher suite that was chosen', (answer) => read.ofChoice(answer, answer.suite)),
  'hello:group': hello('group that was chosen', (answer) => read.ofChoice(answer, answer.group)),
  'hello:compression': hello('compression that was chosen', (answer) => read.ofChoice(answer, answer.compression)),
  'hello:dh-bits': hello(
    'length of the Diffie-Hellman prime',
    (answer) => read.ofChoice(answer, answer.dhBits?.toString()),
    {
      openssl: { options: '-cipher kDHE:@SECLEVEL=0', line: 'temp key' },
    },
  ),
  'hello:renegotiation': hello(
    '"secure" or "insecure"; not there in TLS 1.3',
    (answer) =>
      read.ofChoice(answer, answer.version === 'TLSv1.3' ? '' : answer.isRenegotiationSecure ? 'secure' : 'insecure'),
    { openssl: { options: '-cipher ALL:@SECLEVEL=0 -legacy_server_connect', line: 'renegotiation' } },
  ),
  'hello:alert': hello('why it was refused, "closed" without an alert', ({ alert }) => alert || undefined),

  'dns:rcode': dns('code of the response', ({ rcode }) => rcode),
  'dns:answers': dns('data of the answers', ({ answers }) => lines(answers.map(({ data }) => data))),
  'dns:records': dns('name, type and data of the answers', ({ answers }) => lines(answers.map(read.recordLine))),
  'dns:authority': dns('name, type and data of the authority section', ({ authority }) =>
    lines(authority.map(read.recordLine)),
  ),
  'dns:authoritative': dns('"true" when it is from a zone of the server itself', ({ authoritative }) =>
    String(authoritative),
  ),
  'dns:dnssec': dns(
    'what our own validation came to: secure, insecure, bogus or indeterminate',
    ({ dnssec }) => dnssec?.status,
    {
      need: 'dnssec',
    },
  ),
  'dns:dnssec-zone': dns('the zone in which it ended (see DnssecVerdict)', ({ dnssec }) => dnssec?.zone, {
    need: 'dnssec',
  }),
  'dns:dnssec-fault': dns('the fault that it found (see DnssecVerdict)', ({ dnssec }) => dnssec?.fault, {
    need: 'dnssec',
  }),
  'dns:dkim-key-bits': dns('length of the RSA key in the one text record that is an RFC 6376 key', (reply) =>
    dkimKeyBits(reply)?.toString(),
  ),

  'smtp:greeting': smtp('the first line of a mail server', ({ greeting }) => greeting),
  'smtp:extensions': smtp('extensions that it offers', ({ extensions }) => lines(extensions)),
  'smtp:starttls': smtp('what became of STARTTLS: done, not-offered, refused or failed', ({ startTls }) => startTls),

  'callback:protocols': callback('what the audited host called by: http, https, dns or smtp', (calls) =>
    lines([...new Set(calls.map(({ protocol }) => protocol))].sort()),
  ),
  'callback:requests': callback('what it asked for, for instance `GET /`', (calls) =>
    lines(calls.map(({ detail }) => detail)),
  ),

  'browser:dialogs': browser('texts of the dialogs that opened', ({ dialogs }) => lines(dialogs)),
  'browser:html': browser('the page as script has made it', ({ html }) => html, excerpt),
  'browser:requests': browser('addresses that were asked for', ({ requests }) => lines(requests.map(({ url }) => url))),
  'browser:url': browser('the address at the end', ({ finalUrl }) => finalUrl),
  'browser:frames': browser('addresses of the frames that were loaded', ({ frames }) => lines(frames)),
  'browser:csp': browser('violations of the Content Security Policy', ({ cspViolations }) => lines(cspViolations)),
  'browser:mixed-content': browser('"blocked http://…" or "upgraded http://…"', ({ mixedContent }) =>
    lines(mixedContent),
  ),
  'browser:cookies': browser(
    'what script on the page reads of its cookies',
    ({ scriptCookies }) => scriptCookies || undefined,
  ),
  'browser:cookies-sent': browser(
    '"url name" for each cookie that was sent along to the audited host',
    ({ cookiesSent }) => lines(cookiesSent),
  ),
  'browser:libraries': browser('libraries with their versions, "jquery 3.7.1"', ({ libraries }) => lines(libraries)),
  'browser:prototype': browser('"name value" for each property that script has given to all objects', ({ prototype }) =>
    lines(prototype),
  ),
  'browser:local-storage:<name>': browser(
    'an entry of the page’s origin',
    ({ localStorage }, name) => read.entryOf(localStorage, name),
    { keeping: 'nowhere' },
  ),
  'browser:session-storage:<name>': browser(
    'an entry of the page’s origin in this tab',
    ({ sessionStorage }, name) => read.entryOf(sessionStorage, name),
    { keeping: 'nowhere' },
  ),
} as const satisfies Record<string, SubjectRow>;

type Named<S> = S extends `${infer Fixed}<${string}` ? `${Fixed}${string}` : S;

declare module '../../model/experiment.ts' {
  interface SubjectNames {
    /** For instance `status`, `header:location` or `body:json:/role`. */
    table: Named<keyof typeof subjects>;
  }
}
