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
 * - `‹delay1›` to `‹delay4›`: 0, 0, 1 and 2 in an order that is new in each trial; `‹longdelay1›` … are twice as long
 * - `‹callback›`, `‹callback2›`, …: tokens for callbacks, new in each trial (see CallbackProbe)
 * - `‹answer:callback›`: the word that the listener answers a request with this token with
 * - any name that an earlier step captured
 * - `‹sum:name:100›`: any of these that is a number, and a number
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
  /** In a control this step may be the one that fails, as a login that is refused: what stands behind it is not asked for then. */
  mayEndControl?: true;
};

export type Action =
  | { http: HttpAction }
  | { tls: Omit<TlsRequest, 'timeoutMs' | 'waitsForTicket' | 'asksForStaple'> }
  | { hello: HelloAction }
  | { dns: DnsQuestion }
  /** A mail server is greeted, and asked to encrypt where it offers that. */
  | { smtp: { host: string } }
  | { browser: BrowserAction }
  | { callback: CallbackAction };

/** The audited host is waited for, to call with the token that an earlier step gave it: `‹callback›` and the like. */
export type CallbackAction = { token: string; waitMs: number };

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
  /** Sent so many times at once, in one session; the answer that is looked at is one of them. */
  copies?: number;
  /** Values in this request that are masked wherever it is stored or shown. */
  secrets?: string[];
  /** Credentials in this request that the proof has made up: no secrets, though the names of their fields announce one. */
  invented?: string[];
  /** A token among them that the proof made: how a reader makes one. */
  forged?: ForgedToken;
  /**
   * Instead of this request, the identity of this name logs in anew at its `url` and into the step's `session`; the answer is
   * that to its credentials. A Cookie header is what the browser had before.
   */
  logIn?: string;
  /** This request changes the target: it is recorded before it is sent, and each trial takes it back at its end. */
  write?: WritePlan;
  /** This request stores something that the site shows no way to take back. Only where the domain's scope says `writes: "create"`. */
  lasting?: LastingWrite;
  /** An account that an earlier step has registered logs in. */
  asRegistered?: true;
  /** A visitor of the trial's own goes on in a login that takes several pages. */
  ofLogin?: true;
};

/** How a write that stays is described: what it stores, in one sentence, and the page that shows it, or that has the form. */
export type LastingWrite = {
  description: string;
  place: string;
  /** It opens an account of the trial's own, under names that nobody has. */
  registers?: true;
  /** An account of the trial's own sends it, and it changes one of the trial's own accounts, whichever it names. */
  ofOwnAccounts?: true;
  /** It puts a thing into a shopping basket of the trial's own visit or session; nothing is ordered. */
  fillsBasket?: true;
};

/** A JSON Web Token that was made out of that of an identity (RFC 7515). */
export type ForgedToken = {
  token: string;
  /** Whose token it was made of, and what carries that in their session. */
  identity: string;
  /** `prefix` stands before it in a cookie. */
  carrier: { in: 'cookie' | 'header'; name: string; prefix?: string };
  /** JSON of the header, when it is not the token's own. */
  header?: string;
  /** What differs of the claims: JSON of each before, when it was there, and after. */
  claims?: { name: string; from?: string; to: string }[];
  /** `key` says how the key is written: as it is, or as bytes. */
  signature: 'random' | 'none' | { hash: 'sha256' | 'sha384' | 'sha512'; key: 'text' | 'hex' | 'base64' };
};

/**
 * How a write is described, undone, and shown to be gone. It is stored until it is gone, so that whoever comes after a
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

/** Names of subjects by where they are described: `workflows/proof/subjects/table.ts` adds those that there are. */
export interface SubjectNames {
  none: never;
}

/** What a claim or capture looks at. */
export type Subject = SubjectNames[keyof SubjectNames];

/** A claim: `subject operator expected`. What is not there satisfies `absent` alone. */
export type Assertion = {
  subject: Subject;
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
  subject: Subject;
  /** The first group, or the whole match, is the value. */
  pattern: string;
  /** Masked wherever it is stored or shown. */
  secret?: boolean;
};

/** Short forms for `expect`. */
export const claim = (subject: Subject, operator: Operator, expected = '', note?: string): Assertion =>
  note === undefined ? { subject, operator, expected } : { subject, operator, expected, note };
