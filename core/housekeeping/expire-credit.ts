import type { EntityManager } from '@mikro-orm/postgresql';
import { expireLots } from '../credits/lots.ts';
import { inOrg, inSystem } from '../db/session.ts';

const pageLimit = 200;

/** Takes credit off the accounts of all orgs whose day has come. Several cores may do it at once. */
export async function expireCredit(em: EntityManager, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await inSystem(em, 'dispatcher', (tx) =>
      tx.execute<{ org: string }[]>(
        'select distinct org_id as org from credit_lots where remaining > 0 and expires_at <= now() limit ?',
        [pageLimit],
      ),
    );
    for (const { org } of due) {
      if (signal.aborted) return;
      await inOrg(em, org, (tx) => expireLots(tx, org));
    }
    if (due.length < pageLimit) return;
  }
}
