import type { Client } from '@connectrpc/connect';
import { type OwnershipCheck, type OwnershipService, ProofOutcome } from '../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { callCore } from '../run/core-call.ts';
import type { OwnershipLook } from './look.ts';

/** Core's endpoints for proofs of ownership. Every call may be repeated; core being away is waited out for a while. */
export type OwnershipChecks = {
  get(checkId: string, signal: AbortSignal): Promise<OwnershipCheck>;
  /** @returns whether the org has the right now */
  record(checkId: string, look: OwnershipLook, signal: AbortSignal): Promise<boolean>;
  /** @returns the check that a run has to make first; undefined when there is none */
  required(runId: string, signal: AbortSignal): Promise<string | undefined>;
  due(limit: number, signal: AbortSignal): Promise<string[]>;
};

const outcomes = { found: ProofOutcome.FOUND, missing: ProofOutcome.MISSING, failed: ProofOutcome.FAILED } as const;

export function openOwnershipChecks(client: Client<typeof OwnershipService>): OwnershipChecks {
  return {
    get: (checkId, signal) => callCore((options) => client.getCheck({ checkId }, options), { signal }),
    record: async (checkId, { outcome, method, detail }, signal) => {
      const seen = { checkId, outcome: outcomes[outcome], method, detail };
      return (await callCore((options) => client.recordCheck(seen, options), { signal })).proven;
    },
    required: async (runId, signal) => {
      const { checkId } = await callCore((options) => client.requireCheck({ runId }, options), { signal });
      return checkId === '' ? undefined : checkId;
    },
    due: async (limit, signal) =>
      (await callCore((options) => client.listDueChecks({ limit }, options), { signal })).checkIds,
  };
}
