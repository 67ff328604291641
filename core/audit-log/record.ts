import type { EntityManager } from '@mikro-orm/postgresql';
import type { Deps } from '../context.ts';

type Change = {
  /** Null for what belongs to no org. */
  orgId: string | null;
  /** "subject.verb" in lower-case words, for instance "key.revoke" or "gate-policy.update". */
  action: string;
  /** What was changed, for instance a key's id or a domain. */
  subject: string;
  /** What it was and became: settings by name, never a secret. */
  detail?: Record<string, unknown>;
};

/** Who makes a change, and from where. */
export type Actor = Pick<Deps, 'caller' | 'requestId' | 'address'>;

/** What the service does by itself, such as withdrawing a right whose proof was lost. */
export const systemActor: Actor = { caller: undefined, requestId: '', address: '' };

/**
 * Writes a change to the org's audit log, in the transaction of the change itself: there is neither without the other.
 * @param tx opened with `inOrg` for that org, or with the path `operator`
 */
export async function recordChange(tx: EntityManager, actor: Actor, change: Change): Promise<void> {
  const { caller, requestId, address } = actor;
  await tx.execute(
    `insert into audit_log (org_id, action, subject, actor_kind, actor_key_id, address, request_id, detail)
     values (?, ?, ?, ?, ?, ?, ?, ?::jsonb)`,
    [
      change.orgId,
      change.action,
      change.subject,
      caller?.kind ?? 'system',
      caller?.keyId ?? '',
      address,
      requestId,
      JSON.stringify(change.detail ?? {}),
    ],
  );
}
