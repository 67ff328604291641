import { cancellationSignal } from '@temporalio/activity';
import { RunOutcome } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { familyWeight } from '../checks/family-weight.ts';
import type { Family } from '../checks/registry.ts';
import type { ControlActivities, FinishInput } from '../model/tasks.ts';
import { familyCoverage, partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { forgetAnswers } from './kept-answers.ts';

const outcomes: Record<FinishInput['outcome'], RunOutcome> = {
  completed: RunOutcome.COMPLETED,
  failed: RunOutcome.FAILED,
  canceled: RunOutcome.CANCELED,
};

const isWriting = ({ depth, checks }: Family): boolean =>
  depth === 'deep' && checks.some(({ risk }) => risk === 'caution');

const triesLogins = ({ checks }: Family): boolean => checks.some((check) => check.triesLogins);

/** Short calls to core: they decide nothing and send nothing to the audited host. */
export function controlActivities(
  deps: Pick<AuditDeps, 'openRun' | 'openCallbacks' | 'ownership' | 'registry' | 'requestsPerSecond'>,
): ControlActivities {
  const open = (runId: string) => deps.openRun(runId, cancellationSignal());
  return {
    async beginRun({ runId }) {
      const context = await open(runId).begin();
      const ownershipCheck = await deps.ownership.required(runId, cancellationSignal());
      const { families, familiesOf } = deps.registry;
      const { standard = [], deep = [] } = Object.groupBy(families, ({ depth }) => depth);
      const logins = context.logins.map(({ name }) => name);
      const again = logins.flatMap((name) => familiesOf(name));
      // What is left to standard checks of the logins themselves runs alone, as what changes something does.
      const last = logins.length === 0 ? [] : [deps.registry.logins];
      const inOrder = [...deep.filter((family) => !triesLogins(family)), ...deep.filter(triesLogins), ...last];
      return {
        standard: standard.map(({ id }) => id),
        deep: inOrder.map(({ id }) => id),
        writing: [...families.filter(isWriting), ...last].map(({ id }) => id),
        weights: Object.fromEntries(
          [...families, ...again, ...last].map(({ id, checks }) => [id, familyWeight(checks)]),
        ),
        logins,
        visitors: Object.fromEntries(logins.map((name) => [name, deps.registry.familiesOf(name).map(({ id }) => id)])),
        ...(deps.openCallbacks && { hearsCallbacks: true as const }),
        ...(ownershipCheck !== undefined && { ownershipCheck }),
        requestsPerSecond: Math.min(deps.requestsPerSecond, context.requestsPerSecond || deps.requestsPerSecond),
      };
    },
    reportProgress: ({ runId, phase, progress }) => open(runId).reportProgress(phase, progress),
    async recordLostFamily({ runId, family, before, lost: why }) {
      const checks = deps.registry.family(family)?.checks ?? [];
      const ended = new Set(before.outcomes.map(({ checkId }) => checkId));
      const lost = checks.filter(({ id }) => !ended.has(id));
      const { code, text } = why;
      const omitted = [{ code, count: 1, text }];
      const outcomes = lost.map(({ id }) => ({
        checkId: id,
        kind: 'not-run' as const,
        reason: text,
        omitted,
        refuted: 0,
      }));
      const found = new Set(before.foundBefore?.map(({ checkId }) => checkId));
      const known = outcomes.map((outcome) =>
        found.has(outcome.checkId) ? { ...outcome, kind: 'found' as const } : outcome,
      );
      const progress = { ...before, outcomes: [...before.outcomes, ...known] };
      await open(runId).recordCoverage(familyCoverage(family, progress, why));
    },
    recordPart: ({ runId, ...part }) => open(runId).recordCoverage(partCoverage(part)),
    async finishRun({ runId, ...end }) {
      forgetAnswers(runId);
      await open(runId).finish({
        outcome: outcomes[end.outcome],
        ...('failure' in end ? { failure: end.failure } : {}),
        ...('isFree' in end ? { isFree: true } : {}),
      });
    },
  };
}
