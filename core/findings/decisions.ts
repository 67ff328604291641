import type { EntityManager } from '@mikro-orm/postgresql';
import { type FindingState, FindingStateSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { enumValue } from '../enum-words.ts';

/** States other than open, by fingerprint. */
export type Decisions = ReadonlyMap<string, FindingState>;

/** What the org decided about findings of a host and what is in force now, by the database's clock. */
export async function decisionsFor(
  tx: EntityManager,
  { orgId, host }: { orgId: string; host: string },
): Promise<Decisions> {
  const rows = await tx.execute<{ fingerprint: string; state: string }[]>(
    `select fingerprint, state from finding_decisions
     where org_id = ? and host = ? and (expires_at is null or expires_at > now())`,
    [orgId, host],
  );
  return new Map(rows.map(({ fingerprint, state }) => [fingerprint, stateOf(state)]));
}

const stateOf = (word: string): FindingState => enumValue(FindingStateSchema, word);

/** Names the decisions in force: equal ones have equal texts. */
export const decisionsKey = (decisions: Decisions): string => JSON.stringify([...decisions].sort());
