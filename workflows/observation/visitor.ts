import { isPrivileged } from '../checks/sessions/roles.ts';
import type { Verdict } from '../model/gate.ts';
import type { CookieJar, Exchange, HttpRequest } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, Surface } from '../model/surface.ts';
import { keysOfVerdict } from '../probe/gate/form-key.ts';
import type { FormKind } from '../probe/gate/form-kind.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { kindOfForm, takesToken } from '../probe/gate/structure.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import type { OpenProbes } from '../probe/open.ts';
import { type CarriedQueries, createCarriedQueries } from './carried-queries.ts';
import type { Leads } from './leads.ts';
import { likeSession, takeRenewed } from './like-session.ts';
import { createLookalikes } from './lookalikes.ts';
import type { ObservedSubmission } from './observe.ts';
import { type FormJudgement, type ObservedAll, observeAll } from './observe-all.ts';
import type { Neutral, Submission } from './submission.ts';

type ObserveAs = {
  probes: Pick<OpenProbes, 'http' | 'licensed'>;
  gate: Pick<Gate, 'mayObserve' | 'decide' | 'observed' | 'letsEntriesStay'>;
  surface: Surface;
  /** Anonymous when not given. */
  identity?: Identity;
  /** What is known already of a form under this key. */
  known(submission: Submission): Verdict | undefined;
  /** Keys of forms that were not seen to read, of any visitor. */
  leaving?: readonly string[];
  /** Called before an unknown form is sent, and again once it is known what became of it. */
  record(submission: Submission, result?: ObservedSubmission): Promise<void>;
  nonce(): string;
  /** Whether one of these texts is the audit's own; none is when not given. */
  hasWritten?(texts: readonly string[]): boolean;
  /** Forms that show entries of others are sent, too, where the audit has made no entry like them. Default false. */
  changesOthers?: boolean;
  /** What forms of this visitor were seen to carry along before; nothing when not given. */
  carried?: CarriedQueries;
  /** Called for each read and each answer; nothing is called when not given. */
  leads?: Leads;
  signal: AbortSignal;
};

const timeoutMs = 8_000;
const maxBodyBytes = 512 * 1024;

/** Observes the forms of a surface as the visitor who saw it. What an anonymous session alone is shown again changes nothing for others. */
export async function observeAs(tools: ObserveAs): Promise<ObservedAll> {
  const { probes, gate, identity, surface, known, leaving = [], record, nonce, leads, signal } = tools;
  const { http } = probes;
  const licensed = probes.licensed('observation');
  const headers = identity?.headers ?? [];
  const readingSession = (): CookieJar => identity?.jar ?? http.newJar();
  // What an answer gives the visitor to keep is stored with the visitor, and nowhere on the site.
  const newSession = (): CookieJar => (identity ? likeSession(http, identity.jar) : http.newJar());
  let session = newSession();
  const get = async (url: string, jar: CookieJar) => {
    const exchange = await answerOf(() =>
      http.send({ url, jar, timeoutMs, maxBodyBytes, headers: [...headers, ['Cache-Control', 'no-cache']] }),
    );
    if (exchange) leads?.read(url, exchange);
    return exchange;
  };
  const result = await observeAll({
    surface,
    known,
    record,
    signal,
    judge: (form) => judge(gate, form, identity),
    refusal({ method, url, headers: own, body }, isTrusted) {
      const request = { method, url, headers: [...own, ...headers], body };
      const decision = gate.decide(request, isTrusted ? undefined : 'observation');
      return decision.allowed ? undefined : decision.code;
    },
    hasSession: identity !== undefined,
    sendsOwnValues: gate.letsEntriesStay,
    lookalikes: createLookalikes(leaving),
    carried: tools.carried ?? createCarriedQueries(),
    found(making) {
      for (const key of making) gate.observed(key, 'writes');
    },
    neutral: () => neutralOf(nonce),
    hasWritten: (texts) => tools.hasWritten?.(texts) ?? false,
    changesOthers: tools.changesOthers ?? false,
    get: (url) => get(url, readingSession()),
    open(url) {
      session = leads?.sessionOf(url) ?? newSession();
      return get(url, session);
    },
    async send(submission, isTrusted) {
      const { method, url, headers: own, body } = submission;
      const request: HttpRequest = {
        method,
        url,
        jar: session,
        timeoutMs,
        maxBodyBytes,
        headers: [...own, ...headers],
      };
      const instrument = isTrusted ? http : licensed;
      const answer = await answerOf(() => instrument.send(method === 'GET' ? request : { ...request, body }));
      if (identity) takeRenewed(identity.jar, session);
      if (answer) leads?.answered(submission, answer);
      const next = answer && method === 'POST' ? resolve(locationOf(answer), url) : undefined;
      // The next step of what goes on from page to page: only this session has taken the one before.
      if (next !== undefined && new URL(next).origin === new URL(url).origin && leads?.isNew(next)) {
        const jar = session;
        const page = await answerOf(() => http.send({ url: next, jar, timeoutMs, maxBodyBytes, headers }));
        if (page?.status === 200) leads.reached(submission, page, jar);
      }
      return answer;
    },
  });
  for (const { submission, verdict } of result.observed) {
    for (const key of keysOfVerdict(verdict, submission)) gate.observed(key, verdict);
    if (verdict === 'reads') leads?.mayPass(submission);
  }
  return result;
}

/** An administrator of a test system tries what adds something. What a script sends is a sample more often than what is there. */
const mayBeTriedByAdmin = (known: FormKind, { enctype }: FormSurface): boolean =>
  ['unknown', 'asks', 'adds'].includes(known.kind) ||
  (known.kind === 'keeps' && (!known.isFilledIn || /\/(?:json|xml|plain)|\+(?:json|xml)/.test(enctype)));

/** A form that looks up or calculates by its structure is tried like that; whether another may be tried the gate says. */
function judge(gate: ObserveAs['gate'], form: FormSurface, identity?: Identity): FormJudgement {
  if (form.method === 'GET' && takesToken(form)) return { refused: 'one-time-token' };
  const known = kindOfForm(form);
  const { kind } = known;
  if (kind === 'reads') return { as: 'trusted' };
  // What edits or sends is not tried out with the rights of an administrator.
  if (identity && isPrivileged(identity) && !mayBeTriedByAdmin(known, form)) return { refused: 'not-observed' };
  // The address of an account would be changed.
  if (identity && (kind === 'addressed' || kind === 'entrance')) return { refused: 'sensitive-fields' };
  const decision = gate.mayObserve(form);
  return decision.allowed ? { as: 'unknown' } : { refused: decision.code };
}

const neutralOf = (nonce: () => string): Neutral => ({ word: nonce(), number: numberOf(nonce()) });

/** Five digits, the first of them not 0: fewer stand in pages by chance, and more are refused as amounts. */
const numberOf = (nonce: string): string =>
  String(10_000 + ([...nonce].reduce((sum, char) => sum * 37 + char.charCodeAt(0), 7) % 89_999));

/** @throws ProbeError `budget_exhausted` or `canceled` */
async function answerOf(ask: () => Promise<Exchange>): Promise<Exchange | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'budget_exhausted' || error.code === 'canceled') throw error;
    return undefined;
  }
}
