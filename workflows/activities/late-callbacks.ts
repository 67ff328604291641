import type { Prover } from '../checks/confirm.ts';
import type { Check, CheckContext } from '../checks/contract.ts';
import { callbackWaitMs } from '../checks/inputs/callback-look.ts';
import type { Family, Registry } from '../checks/registry.ts';
import { type CheckResult, runCheck } from '../checks/run-check.ts';
import { findingAs, proverAs } from '../checks/visitors/as-visitor.ts';
import type { Callback } from '../model/callbacks.ts';
import type { Experiment, Step } from '../model/experiment.ts';
import type { Omission } from '../model/omission.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { type ArtifactRun, type ExpectedCallback, store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { recordFacts } from './facts.ts';
import { inAudit } from './in-audit.ts';
import { withoutSecrets } from './masking.ts';

/** Probes of one family whose callbacks may come later. Each is a candidate with its input, so that not all of a large site are kept. */
export const maxExpected = 2_000;
/** Longest that an experiment waits for a server that is known to be late. */
const maxWaitMs = 60_000;
const minWaitMs = 3_000;
const timeoutMs = 15 * 60_000;

type LateMemory = {
  /** The context of a check, which remembers what it expects. */
  of(check: Check, context: CheckContext): CheckContext;
  keep(): Promise<void>;
};

/**
 * Remembers which probe each token stands for, until the end of the run. What earlier slices of the family keep counts towards the
 * limit.
 */
export async function rememberLate(run: ArtifactRun, family: Pick<Family, 'id'>): Promise<LateMemory> {
  let kept = (await store.expected.find(run, family.id)) ?? [];
  let expected: ExpectedCallback[] = [];
  return {
    of: (check, context) => ({
      ...context,
      expectLater(token, candidate) {
        if (kept.length + expected.length >= maxExpected) return false;
        expected.push({ token, checkId: check.id, sentAtMs: Date.now(), candidate });
        return true;
      },
    }),
    async keep() {
      if (expected.length === 0) return;
      kept = [...kept, ...expected];
      expected = [];
      await store.expected.put(run, family.id, kept);
    },
  };
}

/** Looks at what was called after the checks had ended, and proves it with waits as long as the server needs. */
export function lateCallbacksActivity(deps: AuditDeps): Pick<AuditActivities, 'creditLateCallbacks'> {
  return {
    creditLateCallbacks: ({ runId, share, part, isLast }) =>
      inAudit(deps, { runId, share }, async (tools) => {
        const { run, probes } = tools;
        const omissions: Omission[] = [];
        for (const family of await familiesOf(tools, deps.registry)) {
          const expected = (await store.expected.find(run, family.id)) ?? [];
          if (expected.length === 0) continue;
          const calls = await probes.callbacks?.wait(
            expected.map(({ token }) => token),
            isLast ? untilHeardMs(expected) : 0,
          );
          const late = lateOf(expected, calls ?? []);
          if (late.length === 0) continue;
          omissions.push(...(await creditFamily(deps, tools, family, late)));
          await store.expected.put(run, family.id, withoutPlacesOf(late, expected));
        }
        const requests = probes.requests();
        if (requests > 0 || omissions.length > 0) await run.recordCoverage(partCoverage({ part, requests, omissions }));
        return { requests };
      }),
  };
}

async function familiesOf({ context }: ActivityTools, registry: Registry): Promise<Family[]> {
  return [...registry.families, registry.logins, ...context.logins.flatMap(({ name }) => registry.familiesOf(name))];
}

/** What was sent last is waited for as well. */
const untilHeardMs = (expected: readonly ExpectedCallback[]): number =>
  Math.max(0, Math.max(...expected.map(({ sentAtMs }) => sentAtMs)) + callbackWaitMs - Date.now());

type Late = ExpectedCallback & { delayMs: number };

const placeOf = ({ checkId, candidate }: ExpectedCallback): string => JSON.stringify([checkId, candidate.location]);

/** What is credited is not credited again. */
function withoutPlacesOf(late: readonly Late[], expected: readonly ExpectedCallback[]): ExpectedCallback[] {
  const credited = new Set(late.map(placeOf));
  return expected.filter((each) => !credited.has(placeOf(each)));
}

/** The quickest of each place. */
function lateOf(expected: readonly ExpectedCallback[], calls: readonly Callback[]): Late[] {
  const received = new Map(calls.map(({ token, receivedAtMs }) => [token, receivedAtMs]));
  const late = expected.flatMap((each): Late[] => {
    const at = received.get(each.token);
    return at === undefined ? [] : [{ ...each, delayMs: Math.max(0, at - each.sentAtMs) }];
  });
  const places = new Map<string, Late>();
  for (const each of late.toSorted((a, b) => b.delayMs - a.delayMs)) places.set(placeOf(each), each);
  return [...places.values()];
}

async function creditFamily(
  deps: AuditDeps,
  tools: ActivityTools,
  family: Family,
  late: readonly Late[],
): Promise<Omission[]> {
  const audit = await openAudit(deps, tools, family);
  const omissions: Omission[] = [];
  for (const [checkId, ofCheck] of Map.groupBy(late, (each) => each.checkId)) {
    const check = deps.registry.check(checkId);
    if (!check) continue;
    const delayMs = Math.max(...ofCheck.map((each) => each.delayMs));
    const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, Math.round(1.5 * delayMs) + minWaitMs));
    const candidates = ofCheck.map(({ candidate }) => candidate);
    const result = await runLate(tools, audit, { ...check, detect: () => candidates }, waitMs);
    await tools.run.recordFindings(withoutSecrets(result.findings, audit.identities.secrets()));
    await recordFacts(tools.run, result.facts);
    omissions.push(...result.outcome.omitted.map((omitted): Omission => ({ ...omitted, subject: checkId })));
  }
  omissions.push(...(await audit.keepObserved()).map((omitted): Omission => ({ ...omitted, subject: family.id })));
  return omissions;
}

async function runLate({ signal }: ActivityTools, audit: Audit, check: Check, waitMs: number): Promise<CheckResult> {
  const { context, identities } = audit;
  const prove: Prover = (experiment, limit) => audit.proverFor(check.id)(patient(experiment, waitMs), limit);
  const identity = identities.all[context.visitor ?? ''];
  if (!identity) return runCheck(check, context, prove, { timeoutMs, signal });
  const result = await runCheck(check, context, proverAs(prove, identity), { timeoutMs, signal });
  return { ...result, findings: result.findings.map((finding) => findingAs(finding, identity)), facts: [] };
}

/** The same experiment, which waits longer for calls. */
function patient({ steps, control }: Experiment, waitMs: number): Experiment {
  const wait = (step: Step): Step => ('callback' in step ? { ...step, callback: { ...step.callback, waitMs } } : step);
  return { steps: steps.map(wait), control: control.map(wait) };
}
