import type { LoginRecipe } from '../login/recipe.ts';
import type { OmissionWord, Omitted } from '../orchestration/omissions.ts';
import type { WebStorage } from '../probe/browser/types.ts';
import type { PageShape } from '../probe/crawl/page-shape.ts';
import type { RefusalCode } from '../probe/gate/types.ts';
import type { CookieJar, Exchange, Probes } from '../probe/types.ts';
import type { Experiment } from '../proof/experiment.ts';
import type { LibraryData } from './support/library-data.ts';

/** What the survey saw: the facts that every check starts from. Stored once per identity as the artifact "surface". */
export type Surface = {
  url: string;
  host: string;
  addresses: string[];
  /** Each scheme and port of the host that answered, the one asked for first. */
  origins: OriginSurface[];
  pages: PageSurface[];
  forms: FormSurface[];
  /** Places that take input, one for each method, route and parameter. */
  inputs: InputSurface[];
  /** URLs seen but not fetched, with the reason in one word and in a sentence: examples, where there are many. */
  skipped: Skipped[];
  /** All that was left out, counted. */
  omitted: Omitted[];
};

/**
 * Why a URL was not fetched, or not as a whole:
 * - `other-host`, `excluded`: it is not in the audit
 * - `not-a-page`, `url-too-long`, `loop`: nothing is expected there
 * - `would-act`, `ends-session`, `one-time-token`, `sensitive-fields`, …: the write gate refuses it
 * - `folded`: enough pages of its route or its folder are built alike
 * - `template-unseen`: the pages of its route or its folder that were compared are not
 * - `budget`, `out-of-time`, `session-lost`, `too-many`: there was no room for it
 * - `failed`: it gave no answer
 * - `page-cut`: only a part of it could be read
 */
export type SkipCode =
  | RefusalCode
  | 'other-host'
  | 'excluded'
  | 'not-a-page'
  | 'url-too-long'
  | 'loop'
  | 'folded'
  | 'template-unseen'
  | 'budget'
  | 'out-of-time'
  | 'session-lost'
  | 'too-many'
  | 'failed'
  | 'page-cut';

export type Skipped = { url: string; code: SkipCode; reason: string };

export type OriginSurface = {
  /** For instance "https://shop.example:8443". */
  origin: string;
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Status and headers of "/", redirects not followed; 0 where TLS is spoken in which no page could be asked for. */
  status: number;
  headers: [string, string][];
  /** Where "/" redirects to, resolved. */
  redirectsTo?: string;
};

export type PageSurface = {
  url: string;
  status: number;
  /** What a browser takes it for, without parameters, for instance "text/html"; "" when that is not told and not seen. */
  contentType: string;
  headers: [string, string][];
  setCookies: string[];
  title: string;
  scripts: { url?: string; integrity?: string; inlineBytes?: number }[];
  /** Seen in HTML, by script in the browser, in robots.txt, … */
  source: string;
  /** How it is built, of HTML. */
  shape?: PageShape;
};

export type FormSurface = {
  pageUrl: string;
  action: string;
  method: 'GET' | 'POST';
  enctype: string;
  fields: {
    name: string;
    type: string;
    value: string;
    options?: string[];
    isRequired?: true;
    /** What browsers are told that goes in (HTML Living Standard §4.10.18.7). */
    autocomplete?: string;
  }[];
  /** The page calls it its search (WAI-ARIA, role "search"). */
  isSearch?: true;
  /** What stands on the button that sends it. */
  label?: string;
  /** Buttons that are never pressed: a request with one of these is another command. */
  otherButtons?: { name: string; value: string }[];
};

export type InputSurface = {
  method: string;
  /** With sample values in place. */
  url: string;
  /** Route with identifiers replaced, for instance "/orders/{id}". */
  route: string;
  /**
   * Of a path its segment's number from 1, with the name of a matrix parameter behind it: "2", "2;color". Of JSON the names on
   * the way: "filter.name".
   */
  parameter: string;
  in: 'query' | 'body' | 'path' | 'header' | 'cookie';
  /** A value that the site itself used, or "". */
  sample: string;
  /** The other parameters that have to be sent with it. */
  others: { name: string; value: string }[];
  contentType?: string;
  /** JSON that is sent, and the input's place in it (RFC 6901). */
  json?: { body: string; pointer: string };
  /** Page that it is sent from, and what that page gives to each visitor anew. */
  page?: { url: string; tokens: PageToken[] };
  /** What a document says that the request is for. */
  title?: string;
};

/** Goes from a page into each request that it makes: a hidden field, or what stands in a cookie or a meta element into a header. */
export type PageToken = { field: string } | { header: string; cookie: string } | { header: string; meta: string };

/** A logged-in session of a deep scan. Renewed by the engine when the marker is gone. */
export type Identity = {
  name: string;
  role: string;
  jar: CookieJar;
  /** Headers of a bearer or header login. */
  headers: [string, string][];
  /** Proven: the answer of checkUrl has the marker, the anonymous one does not. */
  checkUrl: string;
  marker: string;
  /** What the app's scripts keep, of a login by browser. */
  storage?: WebStorage;
  /** Where it logs in; undefined when its session was given as it is, so that no other one can be made. */
  loginUrl?: string;
  /** How a reader logs in by hand. */
  recipe?: LoginRecipe;
};

/** A session that a check has for itself. */
export type OwnSession = Identity & {
  /** The answer to the credentials, redirects not followed. */
  answer: Exchange;
};

/** A fact that an experiment proved. `secret` is in memory only; it is stored encrypted under `secretRef`. */
export type Fact = {
  id: string;
  kind: string;
  subject: string;
  attributes: Record<string, string>;
  secret?: string;
  parents: string[];
  actionId: string;
  fingerprint?: string;
};

export type FactInput = Pick<Fact, 'kind' | 'subject' | 'attributes'> & { secret?: string };

export type CheckContext = Probes & {
  runId: string;
  surface: Surface;
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
   * @throws Error when the identity has no `loginUrl`, ProbeError
   */
  logIn(identity: string, jar?: CookieJar): Promise<OwnSession>;
  /** Random lower-case letters and digits, 10 by default, starting with a letter. */
  nonce(length?: number): string;
  now(): Date;
  /** Requests that the check may still look with, about, so that those after it are sure of theirs; proofs do not count. */
  allowance(): number;
  /** Tells of places that the check leaves out. */
  leave(omitted: Omitted): void;
  signal: AbortSignal;
};

/** A place where a weakness may be. Only an experiment makes it a finding. */
export type Candidate<D = unknown> = {
  location: {
    url: string;
    method?: string;
    parameter?: string;
    parameterIn?: 'query' | 'body' | 'path' | 'header' | 'cookie' | 'fragment';
  };
  /** Route for the fingerprint; derived from the URL when not given. */
  route?: string;
  /** One sentence on what was seen here; goes before the check's own description. */
  detail?: string;
  /** Another vector than the check's, when the case is graver or milder. */
  cvss?: string;
  data?: D;
};

/** There is nothing of this kind on the target, so nothing to look at. Complete. */
export type NotApplicable = { notApplicable: string };
/** There may be something, but it could not be looked at. */
export type NotRun = { notRun: Omitted };
/** Some of the places were left out. */
export type Sampled<D> = { candidates: Candidate<D>[]; omitted: Omitted[] };
export type Detected<D> = Candidate<D>[] | Sampled<D> | NotApplicable | NotRun;

/** `sends` and `proves` are for the published catalogue (docs/checks.md): at most 300 characters each. */
export type Explanation = {
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
  /** "family.name", for instance "headers.hsts-missing". The file is checks/<depth>/<family>/<name>.ts. */
  id: string;
  title: string;
  cwe: number;
  /** OWASP Top 10 category, for instance "A02:2025". */
  owasp: string;
  /** CVSS 3.1 vector; the severity is computed from it. All-none impacts give info. */
  cvss: string;
  /**
   * `caution` changes the target: deep only, own test identities only, recorded, undone, and verified undone; or it ends a session
   * that it has made for itself. What it sends for that passes the write gate, which refuses the same to all others.
   */
  risk: 'safe' | 'caution';
  /** Facts that a proof of this gives to chain steps. `captured` holds the values of the last trial. */
  gives?: { kinds: string[]; facts(candidate: Candidate<D>, captured: Record<string, string>): FactInput[] };
  explain: Explanation;
};

export type Check<D = unknown> = Common<D> & {
  depth: 'standard' | 'deep';
  /** Requests that it takes on a small site, about, those of its browser included, where that is more than a few: the rate is divided by it. */
  cost?: number;
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
