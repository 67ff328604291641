import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { chainActivities } from './activities/chains.ts';
import { controlActivities } from './activities/control.ts';
import type { AuditDeps } from './activities/deps.ts';
import { familyActivity } from './activities/families.ts';
import { gainedLoginsActivity } from './activities/gained-logins.ts';
import { lateCallbacksActivity } from './activities/late-callbacks.ts';
import { loginActivity } from './activities/login.ts';
import { observationActivity } from './activities/observation.ts';
import { ownershipActivities, ownershipPlan } from './activities/ownership.ts';
import { permissionsActivity } from './activities/permissions.ts';
import { surveyActivity } from './activities/survey.ts';
import { undoActivity } from './activities/undo.ts';
import { activityLog } from './activity-log.ts';
import type { AuditActivities } from './model/tasks.ts';
import { type QueueName, queuesOf } from './orchestration/queues.ts';

type WorkersOptions = {
  connection: NativeConnection;
  namespace: string;
  queuePrefix: string;
  queues: readonly QueueName[];
  /** Path of the prebuilt bundle. */
  bundlePath: string;
  deps: AuditDeps;
};

export type Workers = {
  /** Rejects when a worker fails. Resolves when all have drained. */
  ended: Promise<void>;
  /** Takes no more work, gives running activities time to end, then cancels them: another worker goes on with them. */
  drain(): Promise<void>;
};

/** Activities that run when the worker is asked to stop may end within this time. */
const shutdownGraceTime = '10 s';
/** Scans wait for the host most of the time, so a worker runs many at once. */
const maxConcurrentActivities = 40;

/** Starts one Temporal worker for each queue. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace, queuePrefix, queues } = options;
  const audit = auditActivities(options.deps);
  const perQueue: Record<QueueName, Partial<WorkerOptions>> = {
    workflows: {
      workflowBundle: { codePath: options.bundlePath },
      activities: { ...controlActivities(options.deps), ...ownershipPlan(options.deps) },
    },
    standard: { activities: { ...audit, ...ownershipActivities(options.deps) } },
    deep: { activities: audit },
  };
  const workers = await Promise.all(
    queues.map((queue) =>
      Worker.create({
        connection,
        namespace,
        taskQueue: queuesOf(queuePrefix)[queue],
        shutdownGraceTime,
        // Cancellation travels with the answers to heartbeats: at most this late.
        maxHeartbeatThrottleInterval: '1 s',
        defaultHeartbeatThrottleInterval: '1 s',
        // A workflow whose worker was killed goes on elsewhere after this long.
        stickyQueueScheduleToStartTimeout: '1 s',
        maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
        interceptors: { activity: [activityLog(options.deps.logger)] },
        ...perQueue[queue],
      }),
    ),
  );
  const ended = Promise.all(workers.map((worker) => worker.run())).then(() => {});
  return {
    ended,
    async drain() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended.catch(() => {});
    },
  };
}

const auditActivities = (deps: AuditDeps): AuditActivities => ({
  ...surveyActivity(deps),
  ...observationActivity(deps),
  ...familyActivity(deps),
  ...gainedLoginsActivity(deps),
  ...loginActivity(deps),
  ...permissionsActivity(deps),
  ...chainActivities(deps),
  ...lateCallbacksActivity(deps),
  ...undoActivity(deps),
});
