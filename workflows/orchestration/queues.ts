/** Task queues of one installation: the workflows' own, and one for the activities of each depth. */
type Queues = { workflows: string; standard: string; deep: string };

export const queueNames = ['workflows', 'standard', 'deep'] as const;
export type QueueName = (typeof queueNames)[number];

export const queuesOf = (prefix: string): Queues => ({
  workflows: `${prefix}.workflows`,
  standard: `${prefix}.standard`,
  deep: `${prefix}.deep`,
});

/** The queues beside the one that a workflow runs on. */
export const queuesBeside = (workflowQueue: string): Queues => queuesOf(workflowQueue.replace(/\.workflows$/, ''));
