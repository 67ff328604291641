import type { HeaderList } from '../probe/types.ts';

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
  expect: Assertion[];
  capture?: CaptureRule[];
};

export type Action =
  | { http: HttpAction }
  | { tls: { host: string; port: number; serverName?: string } }
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
  /** This request changes the target; it is recorded before it is sent and taken back with `undo` at the end. */
  write?: { description: string; undo: { method: string; url: string; headers?: HeaderList; body?: string } };
};

/**
 * A claim: `subject operator expected`. What is not there satisfies `absent` alone.
 * Subjects: `status` · `header:<name>` · `headers:<name>` (all values, one a line) · `body` · `body:inflate` (zlib) ·
 * `body:pack:<id>` (an object of the Git pack that the body is) ·
 * `cookie:<name>` (the Set-Cookie line) · `location:origin` (the Location header resolved against the request, as a browser does) ·
 * `tls:protocol`, `tls:error`, `tls:certificate.<field>` (leaf) · `dns:rcode`, `dns:answers` (data, one a line) ·
 * `browser:dialogs`, `browser:html`, `browser:requests`, `browser:url`, `browser:csp`.
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
