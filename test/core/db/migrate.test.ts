import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeIndexes } from '../../../core/db/indexes.ts';
import { migrate } from '../../../core/db/migrate.ts';
import { createOrm } from '../../../core/db/orm.ts';
import { assertUnprivileged } from '../../../core/db/privileges.ts';
import { entities } from '../../../core/entities.ts';
import { withClient } from '../../../dev/postgres.ts';
import { further } from '../../support/further.ts';
import { eventually } from '../../support/processes.ts';
import { testDatabase } from '../../support/servers.ts';
import { fails, silent as log } from '../support.ts';

type Column = { table_name: string; column_name: string; is_nullable: string };

const test = suite('migrations');

const folder = join(import.meta.dirname, '../../../core/db/migrations');
const names = readdirSync(folder)
  .filter((file) => /^\d{4}-/.test(file))
  .map((file) => file.replace('.ts', ''))
  .sort();

test('programs that start together apply each migration once', async () => {
  const database = await testDatabase();
  try {
    const options = { ownerUrl: database.ownerUrl, url: database.appUrl, log };
    const applied = await Promise.all([migrate(options), migrate(options), migrate(options)]);
    assert.equal(applied.flat(), names);
    assert.equal(await migrate(options), [], 'once applied, nothing is left');
  } finally {
    await database.drop();
  }
});

test('a migration that fails leaves nothing behind', async () => {
  const database = await testDatabase();
  const owner = createOrm({ entities, url: database.ownerUrl, log });
  try {
    await owner.em.fork().execute('create table scans (nonsense integer)');
    const options = { ownerUrl: database.ownerUrl, url: database.appUrl, log };
    await fails(migrate(options), 'already exists');
    const [found] = await owner.em.fork().execute<{ orgs: string | null }[]>(`select to_regclass('orgs') as orgs`);
    assert.is(found?.orgs, null, 'the tables of earlier migrations are gone too');
    await owner.em.fork().execute('drop table scans');
    assert.equal(await migrate(options), names);
  } finally {
    await owner.close(true);
    await database.drop();
  }
});

test('the entities name the columns that the migrations make', async () => {
  const database = await testDatabase();
  await migrate({ ownerUrl: database.ownerUrl, url: database.appUrl, log });
  const orm = createOrm({ entities, url: database.appUrl, log });
  try {
    const columns = await orm.em.fork().execute<Column[]>(
      `select table_name, column_name, is_nullable from information_schema.columns
       where table_schema = 'public' and table_name not in ('migrations', 'rate_limits')`,
    );
    const inDatabase = columns.map((c) => `${c.table_name}.${c.column_name} ${c.is_nullable === 'YES' ? 'null' : ''}`);
    const inCode = [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
      props.map((prop) => `${tableName}.${prop.fieldNames[0]} ${prop.nullable ? 'null' : ''}`),
    );
    assert.equal(inCode.sort(), inDatabase.sort());
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('the plan of tests and benchmarks has limits that are out of reach', async () => {
  const database = await testDatabase();
  try {
    await migrate({ ownerUrl: database.ownerUrl, url: database.appUrl, log });
    const { rows } = await withClient(database.appUrl, (client) =>
      client.query("select org_requests_per_minute, max_keys, waiting_gates from plans where name = 'test'"),
    );
    assert.equal(rows, [{ org_requests_per_minute: 5_000_000, max_keys: 100_000, waiting_gates: 100_000 }]);
  } finally {
    await database.drop();
  }
});

test('an older program that starts again leaves what a newer one has granted', async () => {
  const database = await testDatabase();
  const options = { ownerUrl: database.ownerUrl, url: database.appUrl, log };
  await migrate(options);
  const [owner, app] = [
    createOrm({ entities, url: database.ownerUrl, log }),
    createOrm({ entities, url: database.appUrl, log }),
  ];
  try {
    const tx = owner.em.fork();
    await tx.execute('create table of_the_future (id integer)');
    const { username } = new URL(database.appUrl);
    await tx.execute(`grant select on of_the_future to "${decodeURIComponent(username)}"`);
    await tx.execute("insert into migrations (name, executed_at) values ('9999-future', now())");
    assert.equal(await migrate(options), []);
    assert.equal(await app.em.fork().execute('select * from of_the_future'), []);
    await tx.execute("delete from migrations where name = '9999-future'");
    await migrate(options);
    await fails(app.em.fork().execute('select * from of_the_future'), 'permission denied');
  } finally {
    await owner.close(true);
    await app.close(true);
    await database.drop();
  }
});

further(test)(
  'a migration that waits for a table lets the calls behind it through, and comes through itself',
  async () => {
    const database = await testDatabase();
    const options = { ownerUrl: database.ownerUrl, url: database.appUrl, log };
    await migrate(options);
    const owner = createOrm({ entities, url: database.ownerUrl, log });
    try {
      await owner.em.fork().execute('alter table domains drop column headers_over_http');
      await owner.em.fork().execute("delete from migrations where name = '0024-headers-over-http'");
      let migrating: Promise<string[]> | undefined;
      await owner.em.fork().transactional(async (reader) => {
        await reader.execute('select count(*) from domains');
        migrating = migrate(options);
        await eventually('the migration waits for the table', async () => {
          const [row] = await owner.em
            .fork()
            .execute<{ count: number }[]>(
              `select count(*)::integer as count from pg_locks where not granted and relation = 'domains'::regclass`,
            );
          return row?.count === 1;
        });
        // As long as the reader has not ended: only the migration's giving up lets this one through.
        await owner.em.fork().transactional(async (call) => {
          await call.execute("set local statement_timeout = '12s'");
          await call.execute('select count(*) from domains');
        });
      });
      assert.equal(await migrating, ['0024-headers-over-http']);
    } finally {
      await owner.close(true);
      await database.drop();
    }
  },
);

further(test)('indexes are made beside the traffic, also where one was left invalid', async () => {
  const database = await testDatabase();
  const owner = createOrm({ entities, url: database.ownerUrl, log });
  const isValid = async (name: string) => {
    const [row] = await owner.em
      .fork()
      .execute<{ valid: boolean }[]>('select indisvalid as valid from pg_index where indexrelid = to_regclass(?)', [
        name,
      ]);
    return row?.valid;
  };
  try {
    await migrate({ ownerUrl: database.ownerUrl, url: database.appUrl, log });
    assert.is(await isValid('domain_checks_by_age'), true);
    await owner.em.fork().execute('create table large (a integer)');
    await owner.em.fork().execute('insert into large values (1), (1)');
    await fails(owner.em.fork().execute('create unique index concurrently large_a on large (a)'), 'could not create');
    assert.is(await isValid('large_a'), false);
    const wanted = { no_index: 'no_table (a)', large_a: 'large (a)' };
    await Promise.all([1, 2, 3].map(() => makeIndexes({ ownerUrl: database.ownerUrl, log }, wanted)));
    assert.equal([await isValid('large_a'), await isValid('no_index')], [true, undefined]);
  } finally {
    await owner.close(true);
    await database.drop();
  }
});

test('a service that works as the owner of the tables is refused', async () => {
  const database = await testDatabase();
  await migrate({ ownerUrl: database.ownerUrl, url: database.appUrl, log });
  const [owner, app] = [
    createOrm({ entities, url: database.ownerUrl, log }),
    createOrm({ entities, url: database.appUrl, log }),
  ];
  try {
    await assertUnprivileged(app.em.fork());
    await fails(assertUnprivileged(owner.em.fork()), 'owns tables');
  } finally {
    await owner.close(true);
    await app.close(true);
    await database.drop();
  }
});

test('a PostgreSQL that is not there is reported, not waited for', async () => {
  const url = 'postgres://owner:owner@127.0.0.1:9/none';
  await fails(migrate({ ownerUrl: url, url, log }), 'ECONNREFUSED');
});

test.run();
