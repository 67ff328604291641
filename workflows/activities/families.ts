import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Check } from '../checks/contract.ts';
import type { Family } from '../checks/registry.ts';
import { type CheckResult, runCheck } from '../checks/run-check.ts';
import type { AuditActivities, FamilyInput, FamilyProgress, FamilyResult } from '../orchestration/tasks.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { familyCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { recordFacts } from './facts.ts';
import { withoutSecrets } from './masking.ts';
import { inAudit, type Scene } from './scene.ts';

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
  return attempt > 1 && isProgress(heartbeatDetails) ? heartbeatDetails : before;
}

const isProgress = (value: unknown): value is FamilyProgress =>
  typeof value === 'object' && value !== null && 'outcomes' in value && 'requests' in value;

async function runSlice(
  deps: AuditDeps,
  scene: Scene,
  family: Family,
  { sliceMs = Number.POSITIVE_INFINITY }: FamilyInput,
  before: FamilyProgress,
): Promise<FamilyResult> {
  const { run, probes, signal } = scene;
  const endMs = Date.now() + sliceMs;
  const audit = await openAudit(deps, scene, family.depth);
  const outcomes = [...before.outcomes];
  const progress = (): FamilyProgress => ({ outcomes: [...outcomes], requests: before.requests + probes.requests() });
  const ended = new Set(outcomes.map(({ checkId }) => checkId));
  const waiting = family.checks.filter(({ id }) => !ended.has(id));
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const result = await runOne(audit, check, signal);
      if (result.outcome.kind === 'not-run') scene.logger.warn(result.outcome, 'a check did not run');
      await run.recordFindings(withoutSecrets(result.findings, audit.identities.secrets()));
      await recordFacts(run, result.facts);
      outcomes.push(result.outcome);
      scene.remember(progress());
      if (Date.now() >= endMs) return;
    }
  };
  await Promise.all(Array.from({ length: lanesOf(family, scene) }, lane));
  if (waiting.length > 0) return { ...progress(), done: false };
  await run.recordCoverage(familyCoverage(family.id, progress(), cutShort(progress())));
  return { ...progress(), done: true };
}

/** Deep checks share sessions, and one may end the session that another one is using. */
const lanesOf = (family: Family, { share }: Scene): number => (family.depth === 'deep' ? 1 : share.maxConnections);

function cutShort({ outcomes }: FamilyProgress): string | undefined {
  const cut = outcomes.filter(({ kind, reason }) => kind === 'not-run' && reason.startsWith('budget_exhausted'));
  return cut.length > 0 ? `the budget was used up before ${cut.length} of its checks had ended` : undefined;
}

/** Around a deep check, the sessions must be alive: a check that looked with a dead one has not looked. */
async function runOne(audit: Audit, check: Check, signal: AbortSignal): Promise<CheckResult> {
  const limits = { timeoutMs: checkTimeoutMs[check.depth], signal };
  const run = () => runCheck(check, audit.context, audit.proverFor(check.id), limits);
  if (check.depth === 'standard') return run();
  const result = await run();
  if (result.outcome.kind === 'found') {
    await renewed(audit, signal);
    return result;
  }
  const lost = await renewed(audit, signal);
  if (lost.names.length === 0 && lost.failure === undefined) return result;
  if (lost.failure !== undefined) return sessionLost(check, lost.failure);
  const again = await run();
  const stillLost = await renewed(audit, signal);
  if (again.outcome.kind === 'found' || stillLost.names.length === 0) return again;
  return sessionLost(check, `the session of ${stillLost.names.join(', ')} ended during the check, twice`);
}

async function renewed({ identities }: Audit, signal: AbortSignal): Promise<{ names: string[]; failure?: string }> {
  try {
    return { names: await identities.renew() };
  } catch (error) {
    signal.throwIfAborted();
    return { names: [], failure: error instanceof Error ? error.message : String(error) };
  }
}

const sessionLost = (check: Check, reason: string): CheckResult => ({
  outcome: { checkId: check.id, kind: 'not-run', reason, refuted: 0 },
  findings: [],
  facts: [],
});
