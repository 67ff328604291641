import type { EntityManager } from '@mikro-orm/postgresql';

/** Advisory locks of the whole database, by any number that no other program uses in it: four letters of ASCII. */
export const databaseLocks = { migrations: 0x7363616e, indexes: 0x696e6465 };

/** Classes of locks on names that have no row to lock. The numbers part names that are alike. */
const classes = { idempotencyKey: 1, queue: 2, finding: 3 };

/** Holds a name until the transaction ends. */
export async function lockName(tx: EntityManager, of: keyof typeof classes, name: string): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, ?))', [name, classes[of]]);
}
