import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../../core/db/migrate.ts';
import { createOrm } from '../../../core/db/orm.ts';
import { assertUnprivileged } from '../../../core/db/privileges.ts';
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
  const owner = createOrm({ url: database.ownerUrl, log });
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
  const orm = createOrm({ url: database.appUrl, log });
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

test('a service that works as the owner of the tables is refused', async () => {
  const database = await testDatabase();
  await migrate({ ownerUrl: database.ownerUrl, url: database.appUrl, log });
  const [owner, app] = [createOrm({ url: database.ownerUrl, log }), createOrm({ url: database.appUrl, log })];
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
