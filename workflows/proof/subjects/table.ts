import { dkimKeyBits } from '../dkim-key.ts';
import { httpSubjects } from './http-table.ts';
import * as read from './readers.ts';
import { browser, callback, dns, hello, type SubjectRow, smtp, tls } from './row.ts';

const { lines } = read;

/**
 * All that a claim or capture can look at, each with how it is read, kept and shown. `<…>` stands for what the claim names.
 * Values of several lines have one thing a line; what is not there has no value.
 */
export const subjects = {
  ...httpSubjects,

  'tls:protocol': tls('version that was agreed on', ({ protocol }) => protocol),
  'tls:error': tls('why the certificate is not trusted', ({ authorizationError }) => authorizationError || undefined),
  'tls:failure': tls('why no handshake came about: unreachable or tls_failed', () => undefined, { need: 'failure' }),
  'tls:certificate.<field>': tls('a field of the leaf certificate', read.certificateField, { rest: /^\w+$/ }),
  'tls:path': tls(
    'whom the certificates lead to: trusted, self-signed, incomplete or refused',
    ({ path }) => path?.end,
  ),
  'tls:path.validFrom': tls('start of the time in which all of them are valid', ({ path }) => path?.validFrom),
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

  'callback:protocols': callback('what the audited host called by: http, https, dns, smtp or ldap', (calls) =>
    lines([...new Set(calls.map(({ protocol }) => protocol))].sort()),
  ),
  'callback:requests': callback('what it asked for, for instance `GET /`', (calls) =>
    lines(calls.map(({ detail }) => detail)),
  ),

  'browser:dialogs': browser('texts of the dialogs that opened', ({ dialogs }) => lines(dialogs)),
  'browser:html': browser('the page as script has made it', ({ html }) => html, { keeping: 'excerpt' }),
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
