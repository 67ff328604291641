import type { HeaderList, TlsRequest } from '../probe/types.ts';

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
};

export type Action =
  | { http: HttpAction }
  | { tls: Omit<TlsRequest, 'timeoutMs'> }
  | { dns: { name: string; type: string } }
  | { browser: { url: string; clicks?: string[] } };

export type HttpAction = {
  /** Default "GET". */
  method?: string;
  url: string;
  headers?: HeaderList;
  body?: string;
  /** Values in this request that are masked wherever it is stored or shown. */
  secrets?: string[];
  /**
   * Instead of this request, the identity of this name logs in anew into the step's `session`; the answer is that to its
   * credentials. A Cookie header is what the browser had before.
   */
  logIn?: string;
  /** This request changes the target; it is recorded before it is sent and taken back with `undo` at the end. */
  write?: {
    description: string;
    undo: { method: string; url: string; headers?: HeaderList; body?: string };
    /** Whose session takes it back; the step's own by default. */
    identity?: string;
  };
};

/**
 * A claim: `subject operator expected`. What is not there satisfies `absent` alone.
 * Subjects: `status` · `header:<name>` · `headers:<name>` (all values, one a line) · `body` · `body:inflate` (zlib) ·
 * `body:pack:<id>` (an object of the Git pack that the body is) ·
 * `body:masked` (the body, of which the evidence keeps no more than what the claims match) ·
 * `body:archive` (names of the first entries of a ZIP or tar archive, one a line) ·
 * `body:source-map` (names of the sources whose text a source map holds, one a line) ·
 * `cookie:<name>` (the Set-Cookie line) · `request:<name>` (a header as it was sent) · `location:origin` (the Location header resolved against the request, as a browser does) ·
 * `tls:protocol`, `tls:error`, `tls:failure` (why no handshake came about: `unreachable` or `tls_failed`), `tls:certificate.<field>` (leaf) · `dns:rcode`, `dns:answers` (data, one a line) ·
 * `browser:dialogs`, `browser:html`, `browser:requests`, `browser:url`, `browser:frames` (addresses of the frames that were loaded, one a line), `browser:csp`,
 * `browser:mixed-content` ("blocked http://…" or "upgraded http://…", one a line), `browser:libraries` ("jquery 3.7.1", one a line),
 * `browser:cookies` (what script on the page reads of its cookies).
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
