import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Waits until a statement of this database waits for a lock, as one does that another transaction holds. Nobody waiting
 * after two seconds is an answer, too: then nothing was held.
 */
export async function untilOneWaits(tx: EntityManager): Promise<void> {
  for (const untilMs = Date.now() + 2_000; Date.now() < untilMs; await sleep(20)) {
    const waiting = await tx.execute<unknown[]>(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (waiting.length > 0) return;
  }
}
