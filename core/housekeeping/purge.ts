import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../../kit/logger.ts';
import { deleteRows } from './delete-rows.ts';
import { expireCredit } from './expire-credit.ts';
import { deleteScansPastRetention } from './retention.ts';

/** Removes what has had its day. What cannot be removed now keeps nothing else from being removed. */
export async function purge({ em, log }: { em: EntityManager; log: Logger }, signal: AbortSignal): Promise<void> {
  const tasks: Record<string, () => Promise<unknown>> = {
    'stored answers': () => deleteRows(em, 'idempotency_keys', 'expires_at < now()', signal),
    // Challenges long past their end, and checks that nobody asks for any more.
    challenges: () => deleteRows(em, 'domain_challenges', "expires_at < now() - interval '30 days'", signal),
    'domain checks': () => deleteRows(em, 'domain_checks', "requested_at < now() - interval '30 days'", signal),
    credit: () => expireCredit(em, signal),
    scans: async () => {
      const scans = await deleteScansPastRetention(em, signal);
      if (scans > 0) log.info({ scans }, 'deleted scans whose retention has ended');
    },
  };
  for (const [subject, remove] of Object.entries(tasks))
    await remove().catch((err: unknown) => log.error({ err, subject }, 'what has had its day was not removed'));
}
