import { setTimeout as sleep } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { percentDecodedOrSame } from '../../kit/percent.ts';
import { isLockTimeout } from './failures.ts';
import { makeIndexes, type OwnerOptions } from './indexes.ts';
import { databaseLocks } from './locks.ts';
import { Tenancy } from './migrations/0001-tenancy.ts';
import { Domains } from './migrations/0002-domains.ts';
import { Credits } from './migrations/0003-credits.ts';
import { Scans } from './migrations/0004-scans.ts';
import { Results } from './migrations/0005-results.ts';
import { AuditLog } from './migrations/0006-audit-log.ts';
import { Logins } from './migrations/0007-logins.ts';
import { Permissions } from './migrations/0008-permissions.ts';
import { Decisions } from './migrations/0009-decisions.ts';
import { Ownership } from './migrations/0010-ownership.ts';
import { CreditExpiry } from './migrations/0012-credit-expiry.ts';
import { Retention } from './migrations/0013-retention.ts';
import { Plans } from './migrations/0014-plans.ts';
import { Metrics } from './migrations/0015-metrics.ts';
import { Rotation } from './migrations/0016-rotation.ts';
import { ScopeParts } from './migrations/0017-scope.ts';
import { Bounds } from './migrations/0018-bounds.ts';
import { AllowedWrites } from './migrations/0020-writes.ts';
import { KeyLimits } from './migrations/0021-key-limits.ts';
import { Coverage } from './migrations/0022-coverage.ts';
import { ChecksOfRuns } from './migrations/0023-checks-of-runs.ts';
import { HeadersOverHttp } from './migrations/0024-headers-over-http.ts';
import { TypedOutbox } from './migrations/0025-typed-outbox.ts';
import { OmittedPlaces } from './migrations/0026-omitted-places.ts';
import { Callbacks } from './migrations/0028-callbacks.ts';
import { WsdlDocuments } from './migrations/0029-wsdl-documents.ts';
import { BasicLogins } from './migrations/0030-basic-logins.ts';
import { EntriesLeft } from './migrations/0031-entries-left.ts';
import { LdapCallbacks } from './migrations/0032-ldap-callbacks.ts';
import { OrderOfScans } from './migrations/0033-order-of-scans.ts';
import { BeginCall } from './migrations/0034-begin-call.ts';
import { ReadScan } from './migrations/0035-read-scan.ts';
import { UnseenWrites } from './migrations/0036-unseen-writes.ts';
import { grantPrivileges } from './privileges.ts';
import { databaseTls } from './tls.ts';

const migrations = [
  { name: '0001-tenancy', class: Tenancy },
  { name: '0002-domains', class: Domains },
  { name: '0003-credits', class: Credits },
  { name: '0004-scans', class: Scans },
  { name: '0005-results', class: Results },
  { name: '0006-audit-log', class: AuditLog },
  { name: '0007-logins', class: Logins },
  { name: '0008-permissions', class: Permissions },
  { name: '0009-decisions', class: Decisions },
  { name: '0010-ownership', class: Ownership },
  { name: '0012-credit-expiry', class: CreditExpiry },
  { name: '0013-retention', class: Retention },
  { name: '0014-plans', class: Plans },
  { name: '0015-metrics', class: Metrics },
  { name: '0016-rotation', class: Rotation },
  { name: '0017-scope', class: ScopeParts },
  { name: '0018-bounds', class: Bounds },
  { name: '0020-writes', class: AllowedWrites },
  { name: '0021-key-limits', class: KeyLimits },
  { name: '0022-coverage', class: Coverage },
  { name: '0023-checks-of-runs', class: ChecksOfRuns },
  { name: '0024-headers-over-http', class: HeadersOverHttp },
  { name: '0025-typed-outbox', class: TypedOutbox },
  { name: '0026-omitted-places', class: OmittedPlaces },
  { name: '0028-callbacks', class: Callbacks },
  { name: '0029-wsdl-documents', class: WsdlDocuments },
  { name: '0030-basic-logins', class: BasicLogins },
  { name: '0031-entries-left', class: EntriesLeft },
  { name: '0032-ldap-callbacks', class: LdapCallbacks },
  { name: '0033-order-of-scans', class: OrderOfScans },
  { name: '0034-begin-call', class: BeginCall },
  { name: '0035-read-scan', class: ReadScan },
  { name: '0036-unseen-writes', class: UnseenWrites },
];

/**
 * Brings the database up to date and gives the application's role its privileges. Programs that start together
 * wait for each other (advisory lock). All or nothing: one transaction, which never keeps the traffic waiting: where it
 * does not get a table's lock soon, it starts again a little later.
 *
 * Two roles: the owner of \`ownerUrl\` owns the tables; the one of \`url\` is what the service works as. A missing one
 * is made with the name and password of \`url\`, which needs CREATEROLE. In an existing PostgreSQL make both first:
 *
 *     create role scan_audit_owner login password '…';
 *     create role scan_audit_app login password '…';
 *     create database scan_audit owner scan_audit_owner;
 *
 * @returns names of the migrations that were applied
 */
export async function migrate(options: OwnerOptions & { url: string }): Promise<string[]> {
  const { log } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const applied = await migrateOnce(options);
      await makeIndexes(options);
      return applied;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === maxAttempts) throw error;
      log.warn({ attempt }, 'a table is in use: migrations start again in a moment');
      await sleep(pauseMs);
    }
  }
}

/** Calls that need the table wait behind a migration that waits for its lock; this is as long as they ever do. */
const lockTimeoutMs = 2_000;
const pauseMs = 3_000;
const maxAttempts = 60;

async function migrateOnce(options: OwnerOptions & { url: string }): Promise<string[]> {
  const orm = new MikroORM({
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl: options.ownerUrl,
    driverOptions: databaseTls(options.ownerUrl, options.tls),
    ensureDatabase: false,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, snapshotOnMigrate: false, tableName: 'migrations' },
    logger: (message) => options.log.debug(message),
  });
  const { username, password } = new URL(options.url);
  const role = { name: percentDecodedOrSame(username), password: percentDecodedOrSame(password) };
  try {
    return await orm.em.fork().transactional(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(?)', [databaseLocks.migrations]);
      await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
      const transaction = tx.getTransactionContext();
      const applied = await orm.migrator.up(transaction === undefined ? {} : { transaction });
      if (!(await isAhead(tx))) await grantPrivileges(tx, role);
      return applied.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
  }
}

/** A newer program has been here: it has given what its tables need, and this one would take it away. */
async function isAhead(tx: EntityManager): Promise<boolean> {
  const unknown = await tx.execute<unknown[]>('select from migrations where name not in (?) limit 1', [
    migrations.map(({ name }) => name),
  ]);
  return unknown.length > 0;
}
