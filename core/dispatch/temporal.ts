import {
  Client,
  Connection,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionStatusName,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { TemporalSettings } from '../../kit/temporal-settings.ts';

/** What core asks of Temporal. Every call has a deadline, and none of them is made while a request waits. */
export type Orchestrator = {
  /** Starts the run's workflow. One that was started before counts as started. */
  start(runId: string, depth: 'standard' | 'deep'): Promise<void>;
  /** Starts the workflow that looks for a proof of ownership. */
  verify(checkId: string): Promise<void>;
  /** Sees to it that proofs are looked at again daily, whoever calls it and however often. */
  scheduleRechecks(): Promise<void>;
  /** Asks the run's workflow to cancel. One that is gone or unknown needs no cancelling. */
  cancel(runId: string): Promise<void>;
  /** How the run's workflow stands; undefined when Temporal does not know it. */
  status(runId: string): Promise<WorkflowExecutionStatusName | undefined>;
  /** Rejects when Temporal or the namespace cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** A call to Temporal that takes longer has failed and is tried again later. */
const callTimeoutMs = 5_000;

/** A channel that lost its server asks for it again this often, so that a restart is noticed at once. */
const reconnectMs = 1_000;

/** A workflow that has not ended by then never will: it is timed out, and the reconciler refunds its scan. */
const executionTimeout = '24 hours';

/** A look for a proof takes seconds; whoever asked for it waits no longer than that. */
const verifyTimeout = '10 minutes';

/** Daily, at a time of its own so that installations do not all begin at midnight. */
const recheckSchedule = (taskQueue: string): ScheduleOptions => ({
  scheduleId: `${taskQueue}/recheck-ownership`,
  spec: { intervals: [{ every: '24 hours' }], jitter: '1 hour' },
  action: { type: 'startWorkflow', workflowType: 'recheckOwnership', taskQueue, args: [] },
  policies: { overlap: 'SKIP', catchupWindow: '10 minutes' },
});

export const workflowId = (runId: string) => `scan/${runId}`;

/** Does not connect before the first call, so core starts and serves while Temporal is down. */
export function connectTemporal({ address, namespace, taskQueuePrefix, tls, apiKey }: TemporalSettings): Orchestrator {
  const connection = Connection.lazy({
    address,
    ...(tls && { tls }),
    ...(apiKey && { apiKey }),
    connectTimeout: callTimeoutMs,
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': reconnectMs },
  });
  const { workflow, schedule } = new Client({ connection, namespace });
  const timed = <T>(call: () => Promise<T>) => connection.withDeadline(Date.now() + callTimeoutMs, call);
  return {
    async start(runId, depth) {
      const options = {
        workflowId: workflowId(runId),
        taskQueue: `${taskQueuePrefix}.workflows`,
        args: [{ runId, depth }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowExecutionTimeout: executionTimeout,
      } as const;
      await timed(() => workflow.start('scanWorkflow', options)).catch(unless(WorkflowExecutionAlreadyStartedError));
    },
    async verify(checkId) {
      const options = {
        workflowId: `verify/${checkId}`,
        taskQueue: `${taskQueuePrefix}.workflows`,
        args: [{ checkId }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowExecutionTimeout: verifyTimeout,
      } as const;
      await timed(() => workflow.start('verifyDomain', options)).catch(unless(WorkflowExecutionAlreadyStartedError));
    },
    async scheduleRechecks() {
      await timed(() => schedule.create(recheckSchedule(`${taskQueuePrefix}.workflows`))).catch(
        unless(ScheduleAlreadyRunning),
      );
    },
    async cancel(runId) {
      await timed(() => workflow.getHandle(workflowId(runId)).cancel()).catch(unless(WorkflowNotFoundError));
    },
    async status(runId) {
      const known = await timed(() => workflow.getHandle(workflowId(runId)).describe()).catch(
        unless(WorkflowNotFoundError),
      );
      return known?.status.name;
    },
    async check() {
      await timed(() => connection.workflowService.describeNamespace({ namespace }));
    },
    close: () => connection.close(),
  };
}

/** Makes one kind of error count as an answer. */
const unless =
  (expected: new (...values: never[]) => Error) =>
  (error: unknown): undefined => {
    if (!(error instanceof expected)) throw error;
  };

/** True when Temporal itself could not be asked, so that every other call would fail the same way now. */
export function isTemporalDown(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) || (error instanceof Error && error.name === 'ServiceError');
}
