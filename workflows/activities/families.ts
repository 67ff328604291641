import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { fairPart, withAllowance } from '../checks/allowance.ts';
import type { Check, CheckContext } from '../checks/contract.ts';
import { united } from '../checks/omitted.ts';
import type { Family } from '../checks/registry.ts';
import { type CheckResult, notLooked, runCheck } from '../checks/run-check.ts';
import { findingAs, proverAs } from '../checks/visitors/as-visitor.ts';
import type { BudgetShare } from '../model/budget.ts';
import type { Exchange } from '../model/http.ts';
import { budgetAdvice, type Omission, type Omitted } from '../model/omission.ts';
import {
  type AuditActivities,
  type FamilyInput,
  type FamilyProgress,
  type FamilyResult,
  progressIn,
  type TaskOutcome,
} from '../model/tasks.ts';
import { addObstruction } from '../probe/http/block-watch.ts';
import type { ActivityTools } from './activity-tools.ts';
import { isAllowed, notAllowed } from './allowed-writes.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { familyCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { recordFacts } from './facts.ts';
import { inAudit } from './in-audit.ts';
import { forgetSurface } from './kept-surfaces.ts';
import { rememberLate } from './late-callbacks.ts';
import { runLoggedIn, withoutGuests } from './logged-in.ts';
import { withoutSecrets } from './masking.ts';
import { keepPlaces } from './places.ts';

const [minCheckMs, maxCheckMs] = [3 * 60_000, 15 * 60_000];

/** Longest time for one check, about half of what is left: a page that never answers must not hold up a family. */
const checkTimeoutMs = ({ deadlineMs }: BudgetShare): number =>
  Math.min(maxCheckMs, Math.max(minCheckMs, (deadlineMs - Date.now()) / 2));

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
      const part = { id: input.family, before: before.requests };
      return inAudit(deps, { runId: input.runId, share, part, looksAs: visitorOf(family) }, (tools) =>
        runSlice(deps, tools, family, input, before),
      );
    },
  };
}

/** Who looks without changing anything. */
const visitorOf = ({ checks, visitor = '' }: Family): string | undefined =>
  checks.some(({ risk }) => risk === 'caution') ? undefined : visitor;

/** What an attempt that was lost with its worker had behind it stays done. */
function resumed({ before }: FamilyInput): FamilyProgress {
  const { attempt, heartbeatDetails } = activityInfo();
  return (attempt > 1 ? progressIn(heartbeatDetails) : undefined) ?? before;
}

async function runSlice(
  deps: AuditDeps,
  tools: ActivityTools,
  family: Family,
  { sliceMs = Number.POSITIVE_INFINITY }: FamilyInput,
  before: FamilyProgress,
): Promise<FamilyResult> {
  const { probes, signal } = tools;
  const [endMs, hasMore] = [Date.now() + sliceMs, Number.isFinite(sliceMs)];
  const audit = await openAudit(deps, tools, family);
  const outcomes = [...before.outcomes];
  let unread: Omitted[] = [];
  const reported = () => [...outcomes.flatMap(({ omitted }) => omitted), ...(before.refused ?? [])];
  const progress = (): FamilyProgress => ({
    outcomes: [...outcomes],
    requests: before.requests + probes.requests(),
    obstruction: addObstruction(before.obstruction, probes.obstruction()),
    refused: united([...(before.refused ?? []), ...audit.refused(reported()), ...audit.ending.omitted(), ...unread]),
    cut: [...cut],
    foundBefore: [...foundBefore.values()],
  });
  // In the last slice nobody leaves anything any more.
  const cut = new Set(hasMore ? before.cut : []);
  const foundBefore = new Map(before.foundBefore?.map((outcome) => [outcome.checkId, outcome]));
  const behind = new Set(outcomes.map(({ checkId }) => checkId));
  const waiting = family.checks.filter(({ id }) => !behind.has(id) && !cut.has(id));
  const contextWith = allotting(tools, audit);
  const late = await rememberLate(tools.run, family);
  const again: Check[] = [];
  const run = async (check: Check, checksLeft: number, mayWait: (check: Check) => boolean): Promise<void> => {
    const stopTimer = deps.metrics.durations.startTimer({ check: check.id });
    const context = contextWith(checksLeft);
    const [startedAt, allotted] = [performance.now(), context.allowance()];
    const result = isAllowed(check, tools.writes)
      ? await runOne(audit, family, check, late.of(check, context), { share: tools.share, signal })
      : notLooked(check, { code: 'would_write', count: 1, text: notAllowed });
    stopTimer({ outcome: result.outcome.kind });
    const spent = { elapsedMs: Math.round(performance.now() - startedAt), requests: allotted - context.allowance() };
    tools.logger.info({ checkId: check.id, visitor: context.visitor, ...spent }, 'a check ended');
    const mayLookAgain = isCut(result.outcome) && (isSpent(tools) || context.allowance() === 0) && mayWait(check);
    if (mayLookAgain && result.findings.length === 0) return;
    const { outcome: ended } = await store(tools, audit, check, result);
    if (mayLookAgain) {
      foundBefore.set(check.id, ended);
      return;
    }
    const outcome = foundBefore.has(check.id) ? asFound(ended) : ended;
    foundBefore.delete(check.id);
    if (outcome.kind === 'not-run') tools.logger.warn(outcome, 'a check did not run');
    outcomes.push(outcome);
    tools.remember(progress());
  };
  const hasEnded = () => Date.now() >= endMs || (hasMore && isSpent(tools));
  // The next slices have what other families left; in the last one, the others of this family leave something.
  const mayWait = (check: Check): boolean => {
    if (hasMore) cut.add(check.id);
    else if (isSpent(tools)) return false;
    else again.push(check);
    return true;
  };
  const width = widthOf(family, tools);
  let running = 0;
  const runNext = async () => {
    for (let check = waiting.shift(); check !== undefined; check = hasEnded() ? undefined : waiting.shift()) {
      running += 1;
      await run(check, waiting.length + running, mayWait);
      running -= 1;
    }
  };
  await Promise.all(Array.from({ length: width }, runNext));
  // One after the other, so that the last one has all that is left; the cache has what they have seen.
  for (const [place, check] of again.entries()) await run(check, again.length - place, () => false);
  await late.keep();
  unread = await audit.keepObserved();
  if (waiting.length + cut.size > 0) return { ...progress(), done: false, isCut: waiting.length === 0 };
  forgetSurface([tools.run.runId, family.id]);
  await tools.run.recordCoverage(familyCoverage(family.id, progress(), cutShort(family.id, progress())));
  return { ...progress(), done: true };
}

/** The context of one check, with a fair part of what is left. What checks share is paid for once. */
function allotting({ share, probes }: ActivityTools, { context }: Audit): (checksLeft: number) => CheckContext {
  const paid = new WeakSet<Exchange>();
  return (checksLeft) => withAllowance(context, fairPart(share.maxRequests - probes.requests(), checksLeft), paid);
}

/** What core refuses to store costs the check that gave it, not its family. */
async function store({ run }: ActivityTools, audit: Audit, check: Check, result: CheckResult): Promise<CheckResult> {
  try {
    await run.recordFindings(withoutSecrets(result.findings, audit.identities.secrets()));
    await recordFacts(run, result.facts);
    if (audit.context.visitor === undefined) await keepPlaces(run, check.id, result.places, audit.identities.secrets());
    return result;
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.type === 'INVALID_PARAMETER')) throw error;
    const text = `what it found could not be stored: ${error.message}`;
    return notLooked(check, { code: 'check_failed', count: 1, text });
  }
}

/** While one check waits for a browser or for its turn with the connections, another one can go on. */
const minWidth = 2;

/** Deep checks share sessions, and one may end the session that another one is using. */
const widthOf = (family: Family, { share }: ActivityTools): number =>
  family.depth === 'deep' ? 1 : Math.max(minWidth, share.maxConnections);

/** All of a share that had something in it was sent, so that each slice takes from the budget. */
const isSpent = ({ probes, share }: ActivityTools): boolean =>
  share.maxRequests > 0 && probes.requests() >= share.maxRequests;

/** Some places were left out that a larger share would reach, whatever was found at others. */
const isCut = ({ omitted }: TaskOutcome): boolean => omitted.some(({ code }) => code === 'budget');

/** A check that has found something before has found it, whatever it could not look at then. */
const asFound = (outcome: TaskOutcome): TaskOutcome => ({ ...outcome, kind: 'found' });

const isOutOfBudget = (outcome: TaskOutcome): boolean => outcome.kind === 'not-run' && isCut(outcome);

function cutShort(family: string, { outcomes }: FamilyProgress): Omission | undefined {
  const { length: count } = outcomes.filter(isOutOfBudget);
  const text = `the budget was used up before ${count} of its checks had ended. ${budgetAdvice}`;
  return count === 0 ? undefined : { code: 'budget', subject: family, count, text };
}

async function runOne(
  audit: Audit,
  { depth }: Family,
  check: Check,
  given: CheckContext,
  { share, signal }: Pick<ActivityTools, 'share' | 'signal'>,
): Promise<CheckResult> {
  const limits = { timeoutMs: checkTimeoutMs(share), signal };
  const { visitor = '' } = given;
  const identity = audit.identities.all[visitor];
  const run = async (lost: readonly string[] = []): Promise<CheckResult> => {
    if (identity && lost.length > 0) await audit.ending.look(given);
    // What was decided with a session that ended is decided anew.
    const context = audit.ending.without(lost.length === 0 ? given : { ...given, surface: { ...given.surface } });
    const prove = audit.proverFor(check.id);
    const store = audit.storeFor(check);
    if (!identity) return runCheck(check, { ...context, ...(store && { store }) }, prove, limits);
    const result = await runCheck(check, context, proverAs(prove, identity), limits);
    const findings = result.findings.map((finding) => findingAs(finding, identity));
    // Chains are replayed from nothing, and a fact of a session cannot be shown without it.
    return { ...result, findings, facts: [], places: new Map() };
  };
  const sessions = visitor === '' ? withoutGuests(audit.identities) : audit.identities;
  return depth === 'deep' ? runLoggedIn(sessions, check, run, signal) : run();
}
