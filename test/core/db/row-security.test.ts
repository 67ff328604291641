import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrm } from '../../../core/db/orm.ts';
import { continueAsOrg, executeInOrg, inOrg, inSystem, type SystemPath } from '../../../core/db/session.ts';
import { entities } from '../../../core/entities.ts';
import { OrgEntity, PlanEntity } from '../../../core/orgs/entities.ts';
import { ScanEntity } from '../../../core/scans/entities.ts';
import { migratedDatabase, type TestDatabase } from '../../support/servers.ts';
import { fails, silent as log } from '../support.ts';
import { seedOrg } from './seed.ts';

let database: TestDatabase;
let orm: ReturnType<typeof createOrm>;
let tables: string[];
let mine: { orgId: string; runId: string };
let other: { orgId: string; runId: string };

const test = suite('row level security');
test.before(async () => {
  database = await migratedDatabase();
  orm = createOrm({ entities, url: database.appUrl, log });
  const rows = await orm.em.fork().execute<{ name: string }[]>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'org_id' order by 1`,
  );
  tables = ['orgs', ...rows.map(({ name }) => name)];
  mine = await seedOrg(orm.em);
  other = await seedOrg(orm.em);
});
test.after(async () => {
  await orm.close(true);
  await database.drop();
});

const count = async (em: Pick<EntityManager, 'execute'>, table: string): Promise<number> => {
  const [row] = await em.execute<{ n: string }[]>(`select count(*) as n from ${table}`);
  return Number(row?.n);
};

/** Tables of which a path sees any row. All of them have rows of two orgs. */
const visible = async (path: SystemPath): Promise<string[]> => {
  const seen = await inSystem(orm.em, path, async (tx) => {
    const found: string[] = [];
    for (const table of tables) if ((await count(tx, table)) > 0) found.push(table);
    return found;
  });
  return seen;
};

test('is on and forced for every table that belongs to orgs', async () => {
  const rows = await orm.em
    .fork()
    .execute<{ relname: string }[]>(
      `select relname from pg_class where relrowsecurity and relforcerowsecurity and relkind = 'r' order by 1`,
    );
  assert.equal(
    rows.map(({ relname }) => relname),
    [...tables, 'plans'].sort(),
  );
  assert.ok(tables.length >= 19);
});

test('shows an org its own rows only, even where a query has no filter', async () => {
  for (const table of tables) {
    const column = table === 'orgs' ? 'id' : 'org_id';
    const owners = await inOrg(orm.em, mine.orgId, (tx) =>
      tx.execute<{ org: string }[]>(`select distinct ${column} as org from ${table}`),
    );
    assert.equal(owners, [{ org: mine.orgId }], table);
  }
  const scans = await inOrg(orm.em, mine.orgId, (tx) => tx.find(ScanEntity, {}));
  assert.equal(
    scans.map(({ runId }) => runId),
    [mine.runId],
  );
});

test('shows nothing outside of a unit of work', async () => {
  for (const table of tables) assert.is(await count(orm.em.fork(), table), 0, table);
});

test('does not leak a context into the next transaction of a connection', async () => {
  const single = createOrm({ entities, url: database.appUrl, poolSize: 1, log });
  try {
    assert.is(await inOrg(single.em, mine.orgId, (tx) => count(tx, 'scans')), 1);
    assert.is(await count(single.em.fork(), 'scans'), 0);
    await inOrg(single.em, mine.orgId, () => Promise.reject(new Error('rolled back'))).catch(() => {});
    assert.is(await count(single.em.fork(), 'scans'), 0);
  } finally {
    await single.close(true);
  }
});

test('binds a read in one round trip to its org, and only it', async () => {
  const sql = 'select run_id as id from scans';
  const reads = [
    { sql, params: [] },
    { sql: `${sql} where run_id = ?`, params: [other.runId] },
    { sql: 'select ? as text, ?::integer as n', params: ["it's; -- ?", 7] },
  ];
  assert.equal(await executeInOrg(orm.em, mine.orgId, reads), [
    [{ id: mine.runId }],
    [],
    [{ text: "it's; -- ?", n: 7 }],
  ]);
  assert.is(await count(orm.em.fork(), 'scans'), 0);
});

test('stops writes into another org', async () => {
  const stolen = { id: randomUUID(), name: 'x', plan: 'team', gateThreshold: 0 as const };
  const violation = 'violates row-level security policy';
  await fails(
    inOrg(orm.em, mine.orgId, (tx) => tx.insert(OrgEntity, stolen)),
    violation,
  );
  const changed = await inOrg(orm.em, mine.orgId, (tx) =>
    tx.nativeUpdate(ScanEntity, { runId: other.runId }, { phase: 'stolen' }),
  );
  assert.is(changed, 0);
  const giveAway = inOrg(orm.em, mine.orgId, (tx) =>
    tx.execute('update scans set org_id = ? where run_id = ?', [other.orgId, mine.runId]),
  );
  await fails(giveAway, violation);
});

test('opens to each system path what it is named for', async () => {
  assert.equal(await visible('keys'), ['orgs', 'api_keys']);
  assert.equal(await visible('operator'), ['orgs', 'api_keys', 'audit_log']);
  assert.equal(await visible('dispatcher'), [
    'credit_lots',
    'domain_challenges',
    'domain_checks',
    'idempotency_keys',
    'outbox',
    'scans',
  ]);
  assert.equal(await visible('metrics'), ['credit_accounts', 'outbox', 'scans']);
  assert.equal(await visible('worker'), ['domain_checks', 'domains', 'scans']);
  assert.equal(await visible('rotation'), ['logins', 'run_secrets', 'scope_documents', 'scope_headers']);
});

test('lets a worker change nothing before it goes on as the org of its run', async () => {
  const rename = (tx: EntityManager) => tx.nativeUpdate(ScanEntity, { runId: mine.runId }, { phase: 'survey' });
  assert.is(await inSystem(orm.em, 'worker', rename), 0);
  await inSystem(orm.em, 'worker', async (tx) => {
    await continueAsOrg(tx, mine.orgId);
    assert.is(await rename(tx), 1);
    assert.is(await count(tx, 'scans'), 1, 'the path is closed again');
  });
});

test('lets nobody but an operator change what a plan gives', async () => {
  const change = (tx: EntityManager) => tx.nativeUpdate(PlanEntity, { name: 'free' }, { deep: true });
  assert.is(await inOrg(orm.em, mine.orgId, change), 0);
  for (const path of ['keys', 'dispatcher', 'worker'] as const)
    assert.is(await inSystem(orm.em, path, change), 0, path);
  assert.is(await inSystem(orm.em, 'operator', change), 1);
});

test('the application cannot rewrite the ledger, nor remove what it must keep', async () => {
  const statements = [
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'update ledger_transactions set reason = $$x$$',
    'delete from ledger_transactions',
    'delete from credit_holds',
    'delete from scans',
    'delete from api_keys',
    'delete from audit_log',
    'delete from plans',
    'truncate ledger_entries',
    'alter table scans disable row level security',
  ];
  for (const sql of statements)
    await fails(
      inOrg(orm.em, mine.orgId, (tx) => tx.execute(sql)),
      /permission denied|must be owner/,
      sql,
    );
});

test.run();
