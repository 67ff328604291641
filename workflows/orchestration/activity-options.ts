import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { finalFailures } from '../model/final-failures.ts';
import type { AuditActivities, ControlActivities, Depth, OwnershipActivities } from '../model/tasks.ts';
import { queuesBeside } from './queues.ts';

/** The activities of one scan, each on its queue with its own time limits and retries. */
export type Activities = {
  control: Pick<ControlActivities, 'beginRun' | 'recordLostFamily' | 'recordPart' | 'finishRun'>;
  courtesy: Pick<ControlActivities, 'reportProgress'>;
  standard: Pick<AuditActivities, 'survey' | 'runFamily' | 'observeForms' | 'creditLateCallbacks'>;
  ownership: Pick<OwnershipActivities, 'proveOwnership'>;
  deep: Omit<AuditActivities, 'undoWrites'>;
  /** One attempt, for what has lost its worker before: each further one could take what runs beside it along. */
  once: Record<Depth, Pick<AuditActivities, 'runFamily'>>;
  undo: Pick<AuditActivities, 'undoWrites'>;
};

const nonRetryableErrorTypes = [...finalFailures];

/**
 * @param workflowQueue "<prefix>.workflows"
 */
export function activitiesFor(workflowQueue: string, depth: Depth): Activities {
  const queues = queuesBeside(workflowQueue);
  const standard = {
    ...auditOptions,
    taskQueue: queues.standard,
    startToCloseTimeout: depth === 'deep' ? '30 minutes' : '20 minutes',
  } as const;
  const deep = {
    ...auditOptions,
    taskQueue: queues.deep,
    startToCloseTimeout: '130 minutes',
    // An activity that is cancelled may be in the middle of a write: the undo must not overtake it.
    cancellationType: depth === 'deep' ? 'WAIT_CANCELLATION_COMPLETED' : 'TRY_CANCEL',
  } as const;
  return {
    // Core and its database may be away for a while; what is reported to them does not expire.
    control: proxyActivities<ControlActivities>({
      startToCloseTimeout: '2 minutes',
      scheduleToCloseTimeout: '24 hours',
      retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '10 s', nonRetryableErrorTypes },
    }),
    courtesy: proxyLocalActivities<ControlActivities>({
      scheduleToCloseTimeout: '5 s',
      retry: { maximumAttempts: 1 },
    }),
    standard: proxyActivities<AuditActivities>(standard),
    deep: proxyActivities<AuditActivities>(deep),
    once: {
      standard: proxyActivities<AuditActivities>({ ...standard, retry: { maximumAttempts: 1 } }),
      deep: proxyActivities<AuditActivities>({ ...deep, retry: { maximumAttempts: 1 } }),
    },
    ownership: proxyActivities<OwnershipActivities>({
      taskQueue: queues.standard,
      startToCloseTimeout: '2 minutes',
      ...auditOptions,
    }),
    // What was changed has to be put back, also when it takes hours until there is a worker again.
    undo: proxyActivities<AuditActivities>({
      taskQueue: queues.deep,
      startToCloseTimeout: '20 minutes',
      scheduleToCloseTimeout: '3 hours',
      ...auditOptions,
      retry: { ...auditOptions.retry, maximumAttempts: 5 },
    }),
  };
}

const auditOptions = {
  // A worker that died is noticed after this long; cancellation travels with the heartbeats.
  heartbeatTimeout: '10 s',
  retry: {
    maximumAttempts: 3,
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '10 s',
    nonRetryableErrorTypes,
  },
} as const;
