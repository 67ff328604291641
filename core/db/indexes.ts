import { MikroORM } from '@mikro-orm/postgresql';
import type { Credentials } from '../../kit/certificates.ts';
import type { Logger } from '../../kit/logger.ts';
import { databaseLocks } from './locks.ts';
import { databaseTls } from './tls.ts';

/**
 * Indexes on tables that hold much by the time that a release adds them. They are made beside the traffic
 * (`concurrently`), which no transaction allows, after the migrations. Programs work without them, only slower.
 */
const indexes: Record<string, string> = {
  domain_checks_by_age: 'domain_checks (requested_at)',
  // The list of scans: whole, of one host, of one status, of one depth. That of hosts finds baselines too.
  scans_by_age: 'scans (org_id, created_at desc, run_id desc)',
  scans_of_host_by_age: 'scans (org_id, host, created_at desc, run_id desc)',
  scans_of_status_by_age: 'scans (org_id, status, created_at desc, run_id desc)',
  scans_of_depth_by_age: 'scans (org_id, depth, created_at desc, run_id desc)',
};

/** Such an index waits for transactions from before it. A program that starts does not wait longer than this for them. */
const patience = '30s';

export type OwnerOptions = { ownerUrl: string; tls?: Credentials; log: Logger };

/**
 * Makes the indexes that are missing, and those anew that were left invalid by a program that ended. One program at a
 * time does so; one that cannot be made now is made at the next start.
 * @param wanted SQL of table and columns by name
 */
export async function makeIndexes({ ownerUrl, tls, log }: OwnerOptions, wanted = indexes): Promise<void> {
  // One connection, which holds the lock.
  const orm = new MikroORM({
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl: ownerUrl,
    driverOptions: databaseTls(ownerUrl, tls),
    pool: { min: 1, max: 1 },
    ensureDatabase: false,
    logger: (message) => log.debug(message),
  });
  const execute = <T>(sql: string, params: unknown[] = []) => orm.em.fork().execute<T[]>(sql, params);
  try {
    // Whoever waited for it would hold the transaction that the index waits for.
    const [lock] = await execute<{ taken: boolean }>('select pg_try_advisory_lock(?) as taken', [
      databaseLocks.indexes,
    ]);
    if (!lock?.taken) return;
    await execute(`set lock_timeout = '${patience}'`);
    for (const [name, on] of Object.entries(wanted)) {
      const [known] = await execute<{ valid: boolean }>(
        'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)',
        [`public.${name}`],
      );
      if (known?.valid) continue;
      try {
        if (known) await execute(`drop index concurrently ${name}`);
        await execute(`create index concurrently ${name} on ${on}`);
        log.info({ index: name }, 'made an index');
      } catch (err) {
        log.warn({ err, index: name }, 'an index could not be made: the next start tries again');
      }
    }
  } finally {
    await orm.close(true);
  }
}
