import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { OwnershipActivities, OwnershipPlan } from './model/tasks.ts';
import { queuesBeside } from './orchestration/queues.ts';

/** Proofs that one day checks at most; the others are due tomorrow. Keeps the history within 1,000 events. */
const maxRounds = 15;
const checksPerRound = 10;

/** Looks once for the proof of a challenge. What follows from it is core's to decide. */
export async function verifyDomain({ checkId }: { checkId: string }): Promise<void> {
  await looking().lookForProof({ checkId });
}

/** Looks again at proofs that nobody has looked at for a day. One that fails does not keep the others waiting. */
export async function recheckOwnership(): Promise<void> {
  const { listDueChecks } = proxyActivities<OwnershipPlan>({ startToCloseTimeout: '2 minutes' });
  const { lookForProof } = looking();
  for (let round = 0; round < maxRounds; round += 1) {
    const checkIds = await listDueChecks({ limit: checksPerRound });
    for (const checkId of checkIds) await lookForProof({ checkId }).catch(() => {});
    if (checkIds.length < checksPerRound) return;
  }
}

const looking = () =>
  proxyActivities<OwnershipActivities>({
    taskQueue: queuesBeside(workflowInfo().taskQueue).standard,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10 s',
    retry: { maximumAttempts: 3, initialInterval: '1 s' },
  });
