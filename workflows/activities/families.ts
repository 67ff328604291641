import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { fairPart, withAllowance } from '../checks/allowance.ts';
import type { Check, CheckContext } from '../checks/contract.ts';
import { united } from '../checks/omitted.ts';
import type { Family } from '../checks/registry.ts';
import { type CheckResult, notLooked, runCheck } from '../checks/run-check.ts';
import { findingAs, proverAs } from '../checks/visitors/as-visitor.ts';
import type { Exchange } from '../model/http.ts';
import { budgetAdvice, type Omission } from '../model/omission.ts';
import {
  type AuditActivities,
  type FamilyInput,
  type FamilyProgress,
  type FamilyResult,
  progressIn,
  type TaskOutcome,
} from '../model/tasks.ts';
import { addHindrance } from '../probe/http/wall-watch.ts';
import { isAllowed, notAllowed } from './allowed-writes.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { familyCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { recordFacts } from './facts.ts';
import { runLoggedIn } from './logged-in.ts';
import { withoutSecrets } from './masking.ts';
import type { Scene } from './open-scene.ts';
import { keepPlaces } from './places.ts';
import { inAudit } from './scene.ts';

/** Longest time for one check. A page that never answers must not hold up a family. */
const checkTimeoutMs = { standard: 3 * 60_000, deep: 15 * 60_000 } as const;

/** Runs the checks of one family: detect, confirm, record. */
export function familyActivity(deps: AuditDeps): Pick<AuditActivities, 'runFamily'> {
  return {
    async runFamily(input) {
      const family = deps.registry.family(input.family);
      // Another worker may be of the version that named it.
      if (!family) throw ApplicationFailure.retryable(`this worker has no family ${input.family}`, 'unknown_family');
      const before = resumed(input);
      const spentBefore = before.requests - input.before.requests;
      const share = { ...input.share, maxRequests: Math.max(0, input.share.maxRequests - spentBefore) };
      return inAudit(deps, { runId: input.runId, share }, (scene) => runSlice(deps, scene, family, input, before));
    },
  };
}

/** What an attempt that was lost with its worker had behind it stays done. */
function resumed({ before }: FamilyInput): FamilyProgress {
  const { attempt, heartbeatDetails } = activityInfo();
  return (attempt > 1 ? progressIn(heartbeatDetails) : undefined) ?? before;
}

async function runSlice(
  deps: AuditDeps,
  scene: Scene,
  family: Family,
  { sliceMs = Number.POSITIVE_INFINITY }: FamilyInput,
  before: FamilyProgress,
): Promise<FamilyResult> {
  const { run, probes, signal } = scene;
  const [endMs, hasMore] = [Date.now() + sliceMs, Number.isFinite(sliceMs)];
  const audit = await openAudit(deps, scene, family);
  const outcomes = [...before.outcomes];
  const told = () => [...outcomes.flatMap(({ omitted }) => omitted), ...(before.refused ?? [])];
  const progress = (): FamilyProgress => ({
    outcomes: [...outcomes],
    requests: before.requests + probes.requests(),
    hindrance: addHindrance(before.hindrance, probes.hindrance()),
    refused: united([...(before.refused ?? []), ...audit.refused(told())]),
  });
  const behind = new Set(outcomes.map(({ checkId }) => checkId));
  const waiting = family.checks.filter(({ id }) => !behind.has(id));
  const contextWith = allotting(scene, audit);
  const later: Check[] = [];
  const again: Check[] = [];
  const cutOnce = new Set<Check>();
  const lanes = lanesOf(family, scene);
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const stopTimer = deps.metrics.durations.startTimer({ check: check.id });
      const context = contextWith(waiting.length + lanes);
      const result = isAllowed(check, scene.writes)
        ? await runOne(audit, family, check, context, signal)
        : notLooked(check, { code: 'would_write', count: 1, text: notAllowed });
      stopTimer({ outcome: result.outcome.kind });
      // Once, since it looks again at what it has seen.
      const mayGoOn = hasMore && before.requests === 0 && isCut(result.outcome);
      if (hasMore && isSpent(scene) && (mayGoOn || isOutOfBudget(result.outcome))) {
        // The next slice's share is larger: it has what other families left.
        waiting.unshift(check);
        return;
      }
      if (mayGoOn && context.allowance() === 0) {
        // The same holds for its part of the share.
        later.push(check);
        continue;
      }
      if (isCut(result.outcome) && context.allowance() === 0 && !isSpent(scene) && !cutOnce.has(check)) {
        // Its part is larger when the others have ended; the cache has what it has seen.
        cutOnce.add(check);
        again.push(check);
        continue;
      }
      const { outcome } = await store(scene, audit, check, result);
      if (outcome.kind === 'not-run') scene.logger.warn(outcome, 'a check did not run');
      outcomes.push(outcome);
      scene.remember(progress());
      if (Date.now() >= endMs) return;
    }
  };
  const runAll = () => Promise.all(Array.from({ length: lanes }, lane));
  await runAll();
  waiting.push(...again);
  if (again.length > 0 && (!hasMore || (Date.now() < endMs && !isSpent(scene)))) await runAll();
  await audit.keepObserved();
  if (waiting.length + later.length > 0) return { ...progress(), done: false };
  await run.recordCoverage(familyCoverage(family.id, progress(), cutShort(family.id, progress())));
  return { ...progress(), done: true };
}

/** The context of one check, with a fair part of what is left. What checks share is paid for once. */
function allotting({ share, probes }: Scene, { context }: Audit): (checksLeft: number) => CheckContext {
  const paid = new WeakSet<Exchange>();
  return (checksLeft) => withAllowance(context, fairPart(share.maxRequests - probes.requests(), checksLeft), paid);
}

/** What core refuses to store costs the check that gave it, not its family. */
async function store({ run }: Scene, audit: Audit, check: Check, result: CheckResult): Promise<CheckResult> {
  try {
    await run.recordFindings(withoutSecrets(result.findings, audit.identities.secrets()));
    await recordFacts(run, result.facts);
    if (audit.context.visitor === undefined && check.depth === 'standard') await keepPlaces(run, result.places);
    return result;
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.type === 'INVALID_PARAMETER')) throw error;
    const text = `what it found could not be stored: ${error.message}`;
    return notLooked(check, { code: 'check_failed', count: 1, text });
  }
}

/** While one check waits for a browser or for its turn with the connections, another one can go on. */
const minLanes = 2;

/** Deep checks share sessions, and one may end the session that another one is using. */
const lanesOf = (family: Family, { share }: Scene): number =>
  family.depth === 'deep' ? 1 : Math.max(minLanes, share.maxConnections);

/** All of a share that had something in it was sent, so that each slice takes from the budget. */
const isSpent = ({ probes, share }: Scene): boolean => share.maxRequests > 0 && probes.requests() >= share.maxRequests;

/** Some places were left out that a larger share would reach, whatever was found at others. */
const isCut = ({ omitted }: TaskOutcome): boolean => omitted.some(({ code }) => code === 'budget');

const isOutOfBudget = (outcome: TaskOutcome): boolean => outcome.kind === 'not-run' && isCut(outcome);

function cutShort(family: string, { outcomes }: FamilyProgress): Omission | undefined {
  const { length: count } = outcomes.filter(isOutOfBudget);
  const text = `the budget was used up before ${count} of its checks had ended. ${budgetAdvice}`;
  return count === 0 ? undefined : { code: 'budget', subject: family, count, text };
}

function runOne(
  audit: Audit,
  { depth }: Family,
  check: Check,
  context: CheckContext,
  signal: AbortSignal,
): Promise<CheckResult> {
  const limits = { timeoutMs: checkTimeoutMs[depth], signal };
  const { visitor = '' } = context;
  const identity = audit.identities.all[visitor];
  const run = async (): Promise<CheckResult> => {
    const prove = audit.proverFor(check.id);
    if (!identity) return runCheck(check, context, prove, limits);
    const result = await runCheck(check, context, proverAs(prove, identity), limits);
    const findings = result.findings.map((finding) => findingAs(finding, identity));
    // Chains are replayed from nothing, and a fact of a session cannot be shown without it.
    return { ...result, findings, facts: [], places: new Map() };
  };
  return depth === 'deep' ? runLoggedIn(audit.identities, check, run, signal) : run();
}
