import type { EntityManager } from '@mikro-orm/postgresql';
import type { Statement } from './session.ts';

/** Advisory locks of the whole database, by any number that no other program uses in it: four letters of ASCII. */
export const databaseLocks = { migrations: 0x7363616e, indexes: 0x696e6465 };

/** Classes of locks on names that have no row to lock. The numbers part names that are alike. */
const classes = { idempotencyKey: 1, queue: 2, finding: 3 };

/** An expression that holds a name from when it is evaluated until the transaction ends. */
export const lockExpression = (of: keyof typeof classes, name: string): Statement => ({
  sql: 'pg_advisory_xact_lock(hashtextextended(?, ?))',
  params: [name, classes[of]],
});

/** Holds a name until the transaction ends. */
export async function lockName(tx: EntityManager, of: keyof typeof classes, name: string): Promise<void> {
  const { sql, params } = lockExpression(of, name);
  await tx.execute(`select ${sql}`, [...params]);
}
