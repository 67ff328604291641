import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { BudgetShare } from '../model/budget.ts';
import type { OwnershipActivities, OwnershipPlan } from '../model/tasks.ts';
import { lookForProof, type OwnershipLook } from '../ownership/look.ts';
import { usualPorts } from '../ownership/proof.ts';
import type { OpenProbes } from '../probe/open.ts';
import type { AuditDeps } from './deps.ts';

type OwnershipDeps = Pick<AuditDeps, 'ownership' | 'openProbes' | 'logger'>;

const heartbeatEveryMs = 500;
/** A look asks for one name and two addresses, three times each at the most. */
const maxRequests = 30;
const maxLookMs = 60_000;

/** Looks for proofs of ownership: the only traffic to hosts that are not yet known to be the org's. */
export function ownershipActivities(deps: OwnershipDeps): OwnershipActivities {
  return {
    async lookForProof({ checkId }) {
      const signal = cancellationSignal();
      await deps.ownership.record(checkId, await look(deps, checkId, signal), signal);
    },
    async proveOwnership({ checkId }) {
      const signal = cancellationSignal();
      const seen = await look(deps, checkId, signal);
      // The right stays while nobody could look; the scan cannot go on without it.
      if (seen.outcome === 'failed') throw ApplicationFailure.retryable(seen.detail, 'ownership_unproven');
      if (await deps.ownership.record(checkId, seen, signal)) return;
      throw ApplicationFailure.nonRetryable(`The proof of ownership is gone. ${seen.detail}`, 'ownership_lost');
    },
  };
}

/** Short calls to core, for the workflow that looks daily. */
export const ownershipPlan = ({ ownership }: Pick<AuditDeps, 'ownership'>): OwnershipPlan => ({
  listDueChecks: ({ limit }) => ownership.due(limit, cancellationSignal()),
});

async function look(deps: OwnershipDeps, checkId: string, signal: AbortSignal): Promise<OwnershipLook> {
  const check = await deps.ownership.get(checkId, signal);
  const logger = deps.logger.child({ checkId, domain: check.domain });
  const opened: OpenProbes[] = [];
  const share: BudgetShare = {
    maxRequests,
    maxConnections: 2,
    requestsPerSecond: 5,
    deadlineMs: Date.now() + maxLookMs,
  };
  const probesFor = (url: string): OpenProbes => {
    const probes = deps.openProbes({ runId: checkId, target: url, share, signal, logger });
    opened.push(probes);
    return probes;
  };
  const pulse = setInterval(() => heartbeat(), heartbeatEveryMs);
  try {
    const seen = await lookForProof(check, { probesFor, ports: usualPorts });
    logger.info({ outcome: seen.outcome, method: seen.method }, 'looked for a proof of ownership');
    return seen;
  } finally {
    clearInterval(pulse);
    await Promise.all(opened.map((probes) => probes.close()));
  }
}
