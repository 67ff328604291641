import type { Logger } from '../../kit/logger.ts';
import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { AllowedWrites, BudgetShare } from '../model/budget.ts';
import type { OpenProbes } from '../probe/open.ts';
import type { Run } from '../run/run.ts';

/** One activity at work on one host. */
export type ActivityTools = {
  run: Run;
  context: RunContext;
  probes: OpenProbes;
  share: BudgetShare;
  writes: AllowedWrites;
  signal: AbortSignal;
  logger: Logger;
  /** Sent along with the next heartbeats; the next attempt finds it. */
  remember(details: unknown): void;
};
