import { CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from '../kit/logger.ts';

/** Members of an activity's input that are logged: ids and names, no contents. */
const logged = ['runId', 'checkId', 'family', 'identity', 'login', 'part', 'phase', 'outcome'] as const;

/** Says when each activity begins and how it ended, with the run that it is part of. */
export const activityLog =
  (logger: Logger): ActivityInterceptorsFactory =>
  ({ info: { activityType: activity, attempt } }) => ({
    inbound: {
      async execute(input, next) {
        const log = logger.child({ activity, attempt, ...about(input.args[0]) });
        const startedAt = performance.now();
        const elapsed = () => ({ elapsedMs: Math.round(performance.now() - startedAt) });
        log.info('an activity began');
        try {
          const result = await next(input);
          log.info({ ...elapsed(), ...requestsOf(result), result: 'ok' }, 'an activity ended');
          return result;
        } catch (error) {
          const result = error instanceof CancelledFailure ? 'canceled' : 'failed';
          log.warn({ ...elapsed(), result, reason: reasonOf(error) }, 'an activity ended');
          throw error;
        }
      },
    },
  });

function about(input: unknown): Record<string, string> {
  if (typeof input !== 'object' || input === null) return {};
  const step: unknown = Reflect.get(input, 'step');
  const actionId: unknown = typeof step === 'object' && step !== null ? Reflect.get(step, 'actionId') : undefined;
  const members = [...logged.map((name) => [name, Reflect.get(input, name)] as const), ['actionId', actionId] as const];
  return Object.fromEntries(
    members.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  );
}

function requestsOf(result: unknown): { requests?: number } {
  const requests: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'requests') : undefined;
  return typeof requests === 'number' ? { requests } : {};
}

/** The kind of failure: its message stands in the history, and may quote what a target said. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'type' in error && typeof error.type === 'string' ? error.type : error.name;
}
