import type { AllowedWrites } from '../model/budget.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Experiment, HttpAction } from '../model/experiment.ts';
import type { Fact, FactInput } from '../model/fact.ts';
import type { CookieJar, Exchange } from '../model/http.ts';
import type { Identity, OwnSession } from '../model/identity.ts';
import type { OmissionWord, Omitted } from '../model/omission.ts';
import type { Probes } from '../model/probes.ts';
import type { Surface } from '../model/surface.ts';
import type { LibraryData } from './library-data.ts';

export type CheckContext = Probes & {
  runId: string;
  /** Of the check that is given it. */
  checkId?: string;
  surface: Surface;
  /** Identity whose session every request carries (see `visitors` of Check); nobody's when not given. */
  visitor?: string;
  /** What anonymous visitors and the visitors before this one were shown. */
  shownBefore?: readonly Surface[];
  /** Surface as each identity saw it; empty in a standard scan. */
  surfaces: Record<string, Surface>;
  identities: Record<string, Identity>;
  /** The scan has identities, with whose sessions its deep checks look. */
  hasUsers?: boolean;
  /** What is published on JavaScript libraries. */
  libraryData: LibraryData;
  /** A request with the identity's session attached. */
  as(identity: string, url: string): Promise<Exchange>;
  /**
   * Logs an identity in anew: a session beside that of `identities`, for what may end or change it.
   * @param jar takes the session's cookies, and sends those that it has already; an empty one by default
   * @param url where it logs in; its `loginUrl` by default
   * @throws Error when the identity has no `loginUrl`, ProbeError
   */
  logIn(identity: string, jar?: CookieJar, url?: string): Promise<OwnSession>;
  /** What the domain's scope allows to be written. */
  writes: AllowedWrites;
  /**
   * Sends a request that stores something, as an identity ("" for nobody), and looks at what became of it. It is recorded before, and
   * what it has an undo for is taken back after the look; what has neither `write` nor `lasting` is not sent. Of `caution` checks alone.
   * @throws ProofError when it must not be sent or could not be taken back, ProbeError
   */
  store?<T>(identity: string, request: HttpAction, look: (answer: Exchange) => Promise<T>): Promise<T>;
  /** Random lower-case letters and digits, 10 by default, starting with a letter. */
  nonce(length?: number): string;
  now(): Date;
  /** Requests that the check may still look with, about, so that those after it are sure of theirs; proofs do not count. */
  allowance(): number;
  /**
   * Has the candidate looked at again at the end of the run when the token was called by then: some servers process values late.
   * @returns false when the limit is reached; see `expectAll`
   */
  expectLater?(token: string, candidate: Candidate): boolean;
  /** Reports places that the check leaves out. */
  leave(omitted: Omitted): void;
  signal: AbortSignal;
};

/** There is nothing of this kind on the target, so nothing to look at. Complete. */
export type NotApplicable = { notApplicable: string };
/** There may be something, but it could not be looked at. */
export type NotRun = { notRun: Omitted };
/** Some of the places were left out. */
export type Sampled<D> = { candidates: Candidate<D>[]; omitted: Omitted[] };
export type Detected<D> = Candidate<D>[] | Sampled<D> | NotApplicable | NotRun;

/** `sends` and `proves` are for the published catalogue (docs/checks.md): at most 300 characters each. */
type Explanation = {
  description: string;
  impact: string;
  /** What the target is sent; of a `caution` action also what it changes, and how that is undone. */
  sends: string;
  /** What has to be seen, what the control must not show, and what an attacker gains by it; or that only a configuration is shown. */
  proves: string;
  /** What to do, with an example where one helps. */
  remedy: string;
  references: string[];
};

type Common<D> = {
  /** "family.name", for instance "headers.hsts-missing". The file is checks/<family>/<name>.check.ts. */
  id: string;
  /** Checks that prove one weakness in different ways name it alike: what several of them prove in one place is one finding. */
  weakness?: string;
  title: string;
  cwe: number;
  /** OWASP Top 10 category, for instance "A02:2025". */
  owasp: string;
  /** CVSS 3.1 vector; the severity is computed from it. All-none impacts give info. */
  cvss: string;
  /**
   * `caution` may change the target: deep only, own test identities only, recorded. What it changes is undone, and verified undone,
   * or is an entry that may stay where the scope says `create`; or it ends a session that it made for itself. What it
   * sends for that passes the write gate, which refuses the same to all others.
   */
  risk: 'safe' | 'caution';
  /** It logs sessions of its own out, which ends all of an account's on some sites, and needs no other. */
  endsSessions?: true;
  /** Facts that a proof of this gives to chain steps. `captured` holds the values of the last trial. */
  gives?: { kinds: string[]; facts(candidate: Candidate<D>, captured: Record<string, string>): FactInput[] };
  explain: Explanation;
};

export type Check<D = unknown> = Common<D> & {
  depth: 'standard' | 'deep';
  /** Requests that it takes on a small site, about, those of its browser included, where that is more than a few: the rate is divided by it. */
  cost?: number;
  /**
   * Who looks: nobody alone when not given; with `each`, a deep scan runs the check again as each test identity, on what that one
   * alone is shown. The check itself need not care: its requests and its experiments carry the session.
   */
  visitors?: 'each';
  /** What it sends are logins that the site refuses, and may count: it runs when the checks that have to log in have done so. */
  triesLogins?: true;
  /** The site may close the account of a test identity by what it sends: it runs last of all, after the chains. Deep only. */
  mayLockOut?: true;
  /** Cheap look for places. Must not report: an empty list means "looked, nothing there". */
  detect(context: CheckContext): Promise<Detected<D>> | Detected<D>;
  /** The experiment that would prove it, or undefined when a closer look refutes the candidate. */
  confirm(context: CheckContext, candidate: Candidate<D>): Promise<Experiment | undefined> | Experiment | undefined;
};

/** A step that turns facts into further facts. Run by the planner when all its needs are there. */
export type ChainStep<D = unknown> = Common<D> & {
  /** One pattern a need; `bindings` come in the same order. */
  needs: { kind: string; where?: Record<string, string> }[];
  /** Reaching this is the goal of a chain, for instance "session(admin)". */
  goal?: string;
  /** Requests that it takes, about: cheaper steps go first. */
  cost: number;
  detect(context: CheckContext, bindings: Fact[]): Promise<Candidate<D>[]> | Candidate<D>[];
  confirm(
    context: CheckContext,
    candidate: Candidate<D>,
    bindings: Fact[],
  ): Promise<Experiment | undefined> | Experiment | undefined;
};

export const defineCheck = <D>(check: Check<D>): Check<D> => check;
export const defineChainStep = <D>(step: ChainStep<D>): ChainStep<D> => step;
export const notApplicable = (reason: string): NotApplicable => ({ notApplicable: reason });
export const notRun = (code: OmissionWord, text: string): NotRun => ({ notRun: { code, count: 1, text } });
