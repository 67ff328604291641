import type { HeaderList } from './http.ts';
import type { TlsRequest } from './tls.ts';
import type { HelloOffer, TlsServer } from './tls-hello.ts';

/**
 * An experiment is data: steps with claims on each answer, and a control in which the cause is taken away.
 * The engine (prove.ts) runs it, so no check can forget a rule: the steps hold in two trials on fresh connections with
 * new nonces (R2), and in each trial the control answers but its last step's claims do not all hold (R1).
 *
 * In every string of a step, `‹name›` stands for a value of the trial:
 * - `‹nonce›`, `‹nonce2›`, …: random lower-case letters and digits that start with a letter, new in each trial
 * - `‹int›`, `‹int2›`, …: a random whole number from 1,000 to 9,999; `‹product:int:int2›` is the product of two
 * - any name that an earlier step captured
 * - `‹encode:name›`: any of these, percent-encoded
 */
export type Experiment = {
  steps: Step[];
  control: Step[];
};

export type Step = Action & {
  /** What this step shows, in one sentence. */
  note: string;
  /** Identity whose session is attached; anonymous by default. Never part of what is stored. */
  identity?: string;
  /**
   * A session of the trial's own, by a name that its first step gives it: that step logs in (`logIn`), each trial anew.
   * It keeps the cookies that answers set, and no other step or check has it.
   */
  session?: string;
  expect: Assertion[];
  capture?: CaptureRule[];
  /** The commands for a reader show this answer, too: the last one alone does not say what was found. */
  isShown?: boolean;
  /** Later answers depend on this request, although its method is a safe one. */
  hasEffect?: boolean;
};

export type Action =
  | { http: HttpAction }
  | { tls: Omit<TlsRequest, 'timeoutMs' | 'waitsForTicket' | 'asksForStaple'> }
  | { hello: HelloAction }
  | { dns: DnsQuestion }
  /** A mail server is greeted, and asked to encrypt where it offers that. */
  | { smtp: { host: string } }
  | { browser: BrowserAction };

export type BrowserAction = {
  url: string;
  clicks?: string[];
  /** HTML of a page of our own at `url`, on an origin that is nobody's (see BrowserVisit); the step's session is in the browser. */
  page?: string;
};

/** One ClientHello, made anew in each trial, that offers this and nothing else. */
export type HelloAction = TlsServer &
  Pick<HelloOffer, 'versions' | 'suites' | 'compressions'> & {
    groups: readonly string[];
    signatures: readonly string[];
    /** "" sends none; `host` by default. */
    serverName?: string;
  };

export type DnsQuestion = {
  name: string;
  type: string;
  /** Name server that is asked itself; for a copy of the zone `name` with the type "AXFR". The resolver by default. */
  server?: string;
};

export type HttpAction = {
  /** Default "GET". */
  method?: string;
  url: string;
  headers?: HeaderList;
  body?: string;
  /** Demands HTTP/1.1 (see HttpRequest). */
  httpVersion?: '1.1';
  /** Values in this request that are masked wherever it is stored or shown. */
  secrets?: string[];
  /** A token among them that the proof made: how a reader makes one. */
  forged?: ForgedToken;
  /**
   * Instead of this request, the identity of this name logs in anew into the step's `session`; the answer is that to its
   * credentials. A Cookie header is what the browser had before.
   */
  logIn?: string;
  /** This request changes the target: it is recorded before it is sent, and each trial takes it back at its end. */
  write?: WritePlan;
};

/** A JSON Web Token that was made out of that of an identity (RFC 7515). */
export type ForgedToken = {
  token: string;
  /** Whose token it was made of, and what carries that in their session. */
  identity: string;
  carrier: { in: 'cookie' | 'header'; name: string };
  /** JSON of the header, when it is not the token's own. */
  header?: string;
  /** What differs of the claims: JSON of each before, when it was there, and after. */
  claims?: { name: string; from?: string; to: string }[];
  /** `key` says how the key is written: as it is, or as bytes. */
  signature: 'random' | 'none' | { hash: 'sha256' | 'sha384' | 'sha512'; key: 'text' | 'hex' | 'base64' };
};

/**
 * How a write is told, taken back, and shown to be gone. It is stored until it is gone, so that whoever comes after a
 * crash can do both: no password, token or session may be in it.
 */
export type WritePlan = {
  /** What changes, in one sentence. */
  description: string;
  /** Whose session takes it back; the step's own by default. */
  identity?: string;
  /** Sets back what was there. It may be sent more than once, and without the write having arrived: never a toggle. */
  undo: {
    method: string;
    url: string;
    headers?: HeaderList;
    body?: string;
    /** Read right before, for what the request needs and nobody keeps, as form tokens are: `‹name›` stands for them. */
    fresh?: { url: string; capture: CaptureRule[] };
  };
  /**
   * A read that shows that nothing of the write is left: that the value from before is at its place, or that the thing is
   * gone. Its claims (on an HTTP answer, and not only on what lacks there, which an error page lacks as well) hold before the
   * first write of a trial, or nothing is sent; and after the undo, or the write does not count as undone.
   */
  verify: {
    url: string;
    /** Whose session looks, "" for nobody's; that of the undo by default. */
    identity?: string;
    expect: [Assertion, ...Assertion[]];
  };
};

/**
 * A claim: `subject operator expected`. What is not there satisfies `absent` alone.
 * Subjects: `status` · `header:<name>` · `headers:<name>` (all values, one a line) · `body` · `body:inflate` (zlib) ·
 * `body:pack:<id>` (an object of the Git pack that the body is) ·
 * `body:masked` (the body, of which the evidence keeps no more than what the claims match) ·
 * `body:form:<target> <field>` (values of a field, as a browser would send them, in the forms of the page that go to this path
 * and query, one a line; for instance `body:form:/account street`) ·
 * `body:json:<pointer>` (JSON of the value at an RFC 6901 pointer, for instance `body:json:/role` with `"user"`) ·
 * `body:archive` (names of the first entries of a ZIP or tar archive, one a line) ·
 * `body:settings:<format>` (names of the settings of a file, one a line, for instance `database.host`; formats: env, ini, json, yaml, xml,
 * and code that assigns literals) · `body:secret-settings:<format>` (those that by their names and values are secrets) ·
 * `body:sqlite` (tables of an SQLite database) · `body:private-keys` (kinds of private keys) · `body:public-key-digests` (SHA-256 of their public parts, one a line) · `body:ds-store` (names in a .DS_Store) ·
 * `body:log` (what kind of log it is) · `body:log-secrets` (kinds of secrets in its lines) · `body:gunzip` (what was gzipped) · `body:sha1` and `body:hex` (digest, and the first 32 bytes) ·
 * `body:source-map` (names of the sources whose text a source map holds, one a line) ·
 * `cookie:<name>` (the Set-Cookie line) · `request:<name>` (a header as it was sent) · `location:origin` (the Location header resolved against the request, as a browser does) ·
 * `tls:protocol`, `tls:error`, `tls:failure` (why no handshake came about: `unreachable` or `tls_failed`), `tls:certificate.<field>` (leaf),
 * `tls:path` (whom the certificates lead to, whatever dates and names say: trusted, self-made, incomplete or refused), `tls:path.validFrom`
 * and `tls:path.validTo` (the time in which all of them are valid), `tls:signatures` (algorithms of the signatures that a client relies on, the leaf's first, one a line),
 * `tls:must-staple` ("true" when the certificate demands a response of OCSP) and `tls:staple` (what the one says that was asked for and came
 * along, see `Staple`), `tls:early-data-bytes` (most that a session ticket allows; not there when it allows none) ·
 * `hello:version`, `hello:suite`, `hello:group`, `hello:compression`, `hello:dh-bits` (what was chosen of an offer, when that was accepted),
 * `hello:renegotiation` ("secure" or "insecure"; not there in TLS 1.3), `hello:alert` (why it was refused, "closed" without an alert) · `dns:rcode`, `dns:answers` (data, one a line),
 * `dns:records` and `dns:authority` (name, type and data of each answer, or record of the authority section, one a line),
 * `dns:authoritative` ("true" when it is from a zone of the server's own),
 * `dns:dnssec` (what our own validation came to: `secure`, `insecure`, `bogus` or `indeterminate`), `dns:dnssec-zone` and `dns:dnssec-fault` (see `DnssecVerdict`),
 * `dns:dkim-key-bits` (length of the RSA key in the one text record that is an RFC 6376 key) ·
 * `smtp:greeting`, `smtp:extensions` (one a line), `smtp:starttls` (`done`, `not-offered`, `refused` or `failed`) ·
 * `browser:dialogs`, `browser:html`, `browser:requests`, `browser:url`, `browser:frames` (addresses of the frames that were loaded, one a line), `browser:csp`,
 * `browser:mixed-content` ("blocked http://…" or "upgraded http://…", one a line), `browser:libraries` ("jquery 3.7.1", one a line),
 * `browser:prototype` ("name value" for each property that script has given to all objects, one a line),
 * `browser:cookies` (what script on the page reads of its cookies), `browser:cookies-sent` ("url name" for each cookie that the
 * browser sent along to the audited host, one a line),
 * `browser:local-storage:<name>` and `browser:session-storage:<name>` (an entry of the page's origin; the evidence shows none).
 */
export type Assertion = {
  subject: string;
  operator: Operator;
  /**
   * Empty for `present` and `absent`. Times are RFC 3339 or "now". The words of `one-of` stand between "|".
   * A pattern is RE2 (https://github.com/google/re2/wiki/Syntax), linear in its input; values of the trial stand for themselves in it.
   */
  expected: string;
  note?: string;
};

export const operators = [
  'equals',
  'not-equals',
  'contains',
  'not-contains',
  'matches',
  'not-matches',
  'present',
  'absent',
  'before',
  'after',
  'less-than',
  'greater-than',
  'one-of',
] as const;
export type Operator = (typeof operators)[number];

export type CaptureRule = {
  name: string;
  subject: string;
  /** The first group, or the whole match, is the value. */
  pattern: string;
  /** Masked wherever it is stored or shown. */
  secret?: boolean;
};

/** Short forms for `expect`. */
export const claim = (subject: string, operator: Operator, expected = '', note?: string): Assertion =>
  note === undefined ? { subject, operator, expected } : { subject, operator, expected, note };
