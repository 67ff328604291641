import { randomInt } from 'node:crypto';
import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Prover } from '../checks/confirm.ts';
import type { Check, CheckContext } from '../checks/contract.ts';
import type { Family } from '../checks/registry.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import { contextAs } from '../checks/visitors/as-visitor.ts';
import { beforeLogins, ofLogins } from '../checks/visitors/login-requests.ts';
import { ownSurface, withoutCookiesOf } from '../checks/visitors/own-surface.ts';
import { type Identities, openIdentities } from '../login/identities.ts';
import { recallLogin } from '../login/proven-login.ts';
import { isGuest } from '../model/gained-name.ts';
import { LoginError } from '../model/login-error.ts';
import type { Omitted } from '../model/omission.ts';
import type { Probes } from '../model/probes.ts';
import type { Surface } from '../model/surface.ts';
import { actingInName } from '../probe/gate/words.ts';
import { storeAndLook } from '../proof/store-and-look.ts';
import type { ProofContext } from '../proof/trial.ts';
import type { Run } from '../run/run.ts';
import type { ActivityTools } from './activity-tools.ts';
import type { AuditDeps } from './deps.ts';
import { createEndingInputs, type EndingInputs } from './ending-inputs.ts';
import { behindGate, loginProofTools } from './gate-knowledge.ts';
import { keptSurface } from './kept-surfaces.ts';
import { refusalReporter } from './refused.ts';
import { watchForStored } from './stored-later.ts';
import { findSurface } from './surface.ts';
import { namesOfAlike } from './users-alike.ts';
import { lastingEntry, pendingRecord, takeBackWrites, undoneRecord } from './writes.ts';

/** What checks and steps of one activity work with. */
export type Audit = {
  context: CheckContext;
  identities: Identities;
  ending: EndingInputs;
  proverFor(actionId: string): Prover;
  /** What lets a `caution` check store something before it has anything to prove; undefined for others. */
  storeFor(check: Pick<Check, 'id' | 'risk'>): CheckContext['store'];
  /** Keeps what was seen of forms on the way; called when the checks or steps have ended. @returns what was not looked at for it */
  keepObserved(): Promise<Omitted[]>;
  /** What the write gate has refused so far, and sessions that have ended. @param reported what checks or steps report themselves */
  refused(reported?: readonly Omitted[]): Omitted[];
};

type AuditOf = Pick<Family, 'depth' | 'visitor' | 'isOfLogins'> &
  Partial<Pick<Family, 'id'>> & {
    /** The sessions that the run keeps serve, as far as they are valid; by default each of its own, or those of a visitor. */
    sharesSessions?: boolean;
  };

/** Checks of injection measure times: many sites answer the requests of one session one after the other. */
const isTimed = (family: string): boolean => /^injection\b/.test(family);

/** Loads the surfaces, logs in as every proven identity and makes the context of checks. */
export async function openAudit(
  deps: AuditDeps,
  opened: ActivityTools,
  { id, depth, visitor, isOfLogins, sharesSessions = false }: AuditOf,
): Promise<Audit> {
  const later = watchForStored(opened, visitor);
  const tools = { ...opened, probes: { ...opened.probes, http: later.http } };
  const { run, context, probes, signal } = tools;
  const names = visitor === undefined ? context.logins.map(({ name }) => name) : [visitor];
  const sharesSession = sharesSessions || (visitor !== undefined && id !== undefined && !isTimed(id));
  const identities = await openIdentities(
    { ...loginProofTools(tools), sharesSession, leavesOutEnded: visitor === undefined },
    depth === 'deep' ? names : [],
  );
  if (depth === 'deep' && visitor === undefined) await takeBackLeft(tools, identities);
  const surfaces = await surfacesOf(run, Object.keys(identities.all));
  const surface = await findSurface(run, '');
  if (!surface) throw new Error('the run has no surface: its survey did not end');
  const seen = await behindGate(run, probes, { surface, surfaces }, identities.all);
  const shared = checkContext({
    runId: run.runId,
    ...seen,
    identities,
    hasUsers: !context.logins.every(({ name }) => isGuest(name)),
    libraryData: deps.libraryData(),
    probes,
    signal,
    writes: opened.writes,
  });
  const seenBy = visitor === undefined ? shared : await contextOf(shared, tools, visitor);
  const refusedBy = refusalReporter(probes.gate, [surface, ...Object.values(surfaces)]);
  const looked = isOfLogins ? ofLogins : depth === 'standard' && (await logInAnew(tools)) ? beforeLogins : undefined;
  return {
    context:
      id === undefined
        ? seenBy
        : { ...seenBy, surface: keptSurface([run.runId, id], looked?.(seenBy.surface) ?? seenBy.surface) },
    identities,
    ending: createEndingInputs(identities.renew),
    proverFor: (actionId) => proverOf(deps, tools, identities, actionId),
    storeFor: ({ id, risk }) =>
      risk === 'caution'
        ? (name, request, look) =>
            storeAndLook(proofContext(tools, identities, { id, isCaution: true }, signal), name, request, look)
        : undefined,
    keepObserved: () => later.keep(surface),
    refused: (reported) => [...refusedBy(reported), ...endedSessions(identities)],
  };
}

function endedSessions({ ended }: Pick<Identities, 'ended'>): Omitted[] {
  const text = `nothing was tested as ${ended.join(', ')}: the session that the audit gained has ended`;
  return ended.length === 0 ? [] : [{ code: 'login_lost', count: ended.length, text }];
}

/** Deep checks will log in as identities of the run. */
async function logInAnew({ run, context }: Pick<ActivityTools, 'run' | 'context'>): Promise<boolean> {
  const proven = await Promise.all(context.logins.map(({ name }) => recallLogin(run, name)));
  return proven.some((login) => login !== undefined && login.recipe.steps.length > 0);
}

async function surfacesOf(run: Run, names: readonly string[]): Promise<Record<string, Surface>> {
  const surfaces: Record<string, Surface> = {};
  for (const name of names) {
    const surface = await findSurface(run, name);
    if (surface) surfaces[name] = surface;
  }
  return surfaces;
}

/** Looks as one identity, at what neither anonymous visitors nor the identities before it are shown. */
async function contextOf(
  shared: CheckContext,
  { run, context }: ActivityTools,
  visitor: string,
): Promise<CheckContext> {
  const [identity, surface] = [shared.identities[visitor], shared.surfaces[visitor]];
  if (!identity || !surface) throw new LoginError('lost', `there is no session or survey of "${visitor}" in this run`);
  const names = await visitorsInOrder(run, context.logins);
  const earlier = names.slice(0, names.indexOf(visitor));
  const seen = await surfacesOf(run, ['', ...earlier]);
  const before = Object.values(seen);
  const alike = (await namesOfAlike({ run, context }, identity)).filter((name) => earlier.includes(name));
  const users = alike.flatMap((name) => seen[name] ?? []);
  const own = ownSurface(surface, before, { isGuest: isGuest(visitor), users });
  const logins = await Promise.all(alike.map((name) => recallLogin(run, name)));
  const sent = logins.flatMap((login) => login?.recipe.sends.cookies ?? []);
  return contextAs(shared, identity, withoutCookiesOf(own, users, sent), before);
}

/** Those who administrate come last: what others are shown is looked at as these. */
async function visitorsInOrder(run: Run, logins: ActivityTools['context']['logins']): Promise<string[]> {
  const proven = await Promise.all(logins.map(({ name }) => recallLogin(run, name)));
  const known = proven.flatMap((login) => (login ? [{ name: login.name, role: login.role ?? '' }] : []));
  return known.toSorted((a, b) => Number(isPrivileged(a)) - Number(isPrivileged(b))).map(({ name }) => name);
}

/**
 * What an attempt that was lost with its worker had changed would be taken for what was there before. Activities that
 * change the target never run beside another, so what is not yet taken back is of one that has ended.
 */
async function takeBackLeft({ run, probes, signal, logger }: ActivityTools, { all, renew }: Identities): Promise<void> {
  const tools = { http: probes.licensed('undo'), identities: all, renewSessions: renew, now: () => new Date(), signal };
  await takeBackWrites({ run, logger }, tools, [WriteState.PENDING]);
}

type ContextParts = Pick<
  CheckContext,
  'runId' | 'surface' | 'surfaces' | 'hasUsers' | 'libraryData' | 'signal' | 'writes'
> & {
  identities: Identities;
  probes: Probes;
};

function checkContext({ identities, probes, ...parts }: ContextParts): CheckContext {
  const { http, tls, dns, smtp, browser, quiet, callbacks } = probes;
  return {
    ...parts,
    ...(callbacks && { callbacks }),
    http,
    tls,
    dns,
    smtp,
    browser,
    quiet,
    identities: identities.all,
    as(name, url) {
      const identity = identities.all[name];
      if (!identity) throw new Error(`there is no identity ${JSON.stringify(name)} in this run`);
      return http.get(url, { jar: identity.jar, headers: identity.headers });
    },
    logIn: identities.logIn,
    nonce: makeNonce,
    now: () => new Date(),
    allowance: () => Number.POSITIVE_INFINITY,
    leave: () => {},
  };
}

const proverOf =
  (deps: AuditDeps, tools: ActivityTools, identities: Identities, actionId: string): Prover =>
  (experiment, signal) =>
    deps.prove(
      experiment,
      proofContext(tools, identities, { id: actionId, isCaution: isCaution(deps, actionId) }, signal),
    );

const isCaution = ({ registry }: AuditDeps, id: string): boolean =>
  (registry.check(id) ?? registry.step(id))?.risk === 'caution';

type ProvingAction = { id: string; isCaution: boolean };

function proofContext(
  { run, probes, writes }: ActivityTools,
  identities: Identities,
  { id: actionId, isCaution }: ProvingAction,
  signal: AbortSignal,
): ProofContext {
  const { http, tls, dns, smtp, browser, quiet, callbacks, scopeHeaders, scopeHeadersFor } = probes;
  return {
    ...{ http, tls, dns, smtp, browser, quiet, scopeHeaders, scopeHeadersFor, signal },
    ...(callbacks && { callbacks }),
    identities: identities.all,
    logIn: identities.logIn,
    nonce: makeNonce,
    now: () => new Date(),
    secrets: identities.secrets,
    renewSessions: identities.renew,
    // Only actions that are announced as such may change anything.
    ...(isCaution && {
      licensed: probes.licensed,
      recordWrite: (write) => run.recordWrite(pendingRecord(actionId, write)),
      recordUndone: (write, isSeen) => run.recordWrite(undoneRecord(pendingRecord(actionId, write), isSeen)),
    }),
    ...(isCaution &&
      writes === 'create' && { recordLasting: (write) => run.recordWrite(lastingEntry(actionId, write)) }),
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const lettersAndDigits = `${letters}0123456789`;

/**
 * Random lower-case letters and digits, a letter first, so that it is a name in every language that it is put into. Never one
 * with a word between its digits for which the write gate refuses a request, such as "rm".
 */
export function makeNonce(length = 10): string {
  const pick = (from: string) => from.charAt(randomInt(from.length));
  for (;;) {
    const nonce = pick(letters) + Array.from({ length: length - 1 }, () => pick(lettersAndDigits)).join('');
    if (actingInName(nonce) === undefined) return nonce;
  }
}
