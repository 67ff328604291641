import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Credentials } from '../../kit/certificates.ts';
import type { Logger } from '../../kit/logger.ts';
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
];

// Any number that no other program uses for an advisory lock in this database: "scan" in ASCII.
const lockId = 0x7363616e;

/**
 * Brings the database up to date and gives the application's role its privileges. Programs that start together
 * wait for each other (advisory lock). All or nothing: one transaction.
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
export async function migrate(options: {
  ownerUrl: string;
  url: string;
  tls?: Credentials;
  log: Logger;
}): Promise<string[]> {
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
  const role = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  try {
    return await orm.em.fork().transactional(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(?)', [lockId]);
      const transaction = tx.getTransactionContext();
      const applied = await orm.migrator.up(transaction === undefined ? {} : { transaction });
      await grantPrivileges(tx, role);
      return applied.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
  }
}
