import { randomInt } from 'node:crypto';
import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Prover } from '../checks/confirm.ts';
import type { CheckContext } from '../checks/contract.ts';
import { type Identities, openIdentities } from '../login/identities.ts';
import type { Omitted } from '../model/omission.ts';
import type { Probes } from '../model/probes.ts';
import type { Surface } from '../model/surface.ts';
import { actingInName } from '../probe/gate/words.ts';
import type { AuditDeps } from './deps.ts';
import { behindGate, loginScene } from './gate-knowledge.ts';
import type { Scene } from './open-scene.ts';
import { refusalTeller } from './refused.ts';
import { watchForStored } from './stored-later.ts';
import { findSurface } from './survey.ts';
import { pendingRecord, takeBackWrites, undoneRecord } from './writes.ts';

/** What checks and steps of one activity work with. */
export type Audit = {
  context: CheckContext;
  identities: Identities;
  proverFor(actionId: string): Prover;
  /** Keeps what was seen of forms on the way; called when the checks or steps have ended. */
  keepObserved(): Promise<void>;
  /** What the write gate has refused so far. @param told what checks or steps tell of themselves */
  refused(told?: readonly Omitted[]): Omitted[];
};

/** Loads the surfaces, logs in as every proven identity and makes the context of checks. */
export async function openAudit(deps: AuditDeps, opened: Scene, depth: 'standard' | 'deep'): Promise<Audit> {
  const later = watchForStored(opened);
  const scene = { ...opened, probes: { ...opened.probes, http: later.http } };
  const { run, context, probes, signal } = scene;
  const names = depth === 'deep' ? context.logins.map(({ name }) => name) : [];
  const identities = await openIdentities(loginScene(scene), names);
  if (depth === 'deep') await takeBackLeft(scene, identities);
  const surfaces: Record<string, Surface> = {};
  for (const name of Object.keys(identities.all)) {
    const surface = await findSurface(run, name);
    if (surface) surfaces[name] = surface;
  }
  const surface = await findSurface(run, '');
  if (!surface) throw new Error('the run has no surface: its survey did not end');
  const seen = await behindGate(run, probes, { surface, surfaces }, identities.all);
  return {
    context: checkContext({
      runId: run.runId,
      ...seen,
      identities,
      hasUsers: context.logins.length > 0,
      libraryData: deps.libraryData(),
      probes,
      signal,
    }),
    identities,
    proverFor: (actionId) => proverOf(deps, scene, identities, actionId),
    keepObserved: () => later.keep(surface),
    refused: refusalTeller(probes.gate, [surface, ...Object.values(surfaces)]),
  };
}

/**
 * What an attempt that was lost with its worker had changed would be taken for what was there before. Activities that
 * change the target never run beside another, so what is not yet taken back is of one that is over.
 */
async function takeBackLeft({ run, probes, signal, logger }: Scene, { all, renew }: Identities): Promise<void> {
  const scene = { http: probes.licensed('undo'), identities: all, renewSessions: renew, now: () => new Date(), signal };
  await takeBackWrites({ run, logger }, scene, [WriteState.PENDING]);
}

type ContextParts = Pick<CheckContext, 'runId' | 'surface' | 'surfaces' | 'hasUsers' | 'libraryData' | 'signal'> & {
  identities: Identities;
  probes: Probes;
};

function checkContext({ identities, probes, ...parts }: ContextParts): CheckContext {
  const { http, tls, dns, smtp, browser, quiet } = probes;
  return {
    ...parts,
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

function proverOf(deps: AuditDeps, { run, probes }: Scene, identities: Identities, actionId: string): Prover {
  const { http, tls, dns, smtp, browser, quiet, scopeHeaders, scopeHeadersFor } = probes;
  const isCaution = (deps.registry.check(actionId) ?? deps.registry.step(actionId))?.risk === 'caution';
  return (experiment, signal) =>
    deps.prove(experiment, {
      http,
      tls,
      dns,
      smtp,
      browser,
      quiet,
      scopeHeaders,
      scopeHeadersFor,
      identities: identities.all,
      logIn: identities.logIn,
      nonce: makeNonce,
      now: () => new Date(),
      signal,
      secrets: identities.secrets,
      renewSessions: identities.renew,
      // Only actions that are announced as such may change anything.
      ...(isCaution
        ? {
            licensed: probes.licensed,
            recordWrite: (write) => run.recordWrite(pendingRecord(actionId, write)),
            recordUndone: (write) => run.recordWrite(undoneRecord(pendingRecord(actionId, write))),
          }
        : {}),
    });
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
