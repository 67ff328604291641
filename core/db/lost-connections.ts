import type { PostgreSqlConnection } from '@mikro-orm/postgresql';

/** The pool of `pg`, which is MikroORM's dependency and not ours. */
type Pool = Awaited<ReturnType<PostgreSqlConnection['getNativeClient']>>;

/** A holder that gives a lost connection back by itself does so at once. */
const graceMs = 100;

/**
 * Makes a pool forget connections that were lost in the middle of a transaction. Their holder gives them back after a
 * commit or rollback only, and on a lost connection neither succeeds: so each would take a place in the pool for ever,
 * and after as many as the pool has, a restart of PostgreSQL would leave the program without any.
 */
export function forgetLostConnections(pool: Pool): void {
  const held = new WeakSet<object>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      const forget = () => held.has(client) && client.release(true);
      setTimeout(forget, graceMs).unref();
    });
  });
}
