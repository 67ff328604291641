import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  appRole,
  createDatabase,
  createRoles,
  databaseUrl,
  ownerRole,
  type PostgresServer,
  startPostgres,
  withClient,
} from '../../dev/postgres.ts';
import { canReach, reachablePrograms } from '../../dev/postgres-user.ts';
import { startProgram } from '../../dev/process.ts';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { rejectionOf } from '../support/rejection.ts';

const start = (folder: string, durable = false): Promise<PostgresServer> =>
  startPostgres({
    spawn: startProgram,
    folder: join(folder, 'postgres'),
    port: 0,
    password: 'of the superuser',
    logFile: join(folder, 'postgres.log'),
    env: { PATH: process.env.PATH },
    durable,
  });

const Postgres = suite('PostgreSQL');

further(Postgres)('keeps its data when it is stopped, and when it is killed', () =>
  withFolder(async (folder) => {
    const first = await start(folder, true);
    await withClient(first.superuserUrl, async (client) => {
      await client.query('CREATE TABLE kept (value text)');
      await client.query(`INSERT INTO kept VALUES ('stopped')`);
    });
    await first.program.stop();
    const second = await start(folder, true);
    await withClient(second.superuserUrl, (client) => client.query(`INSERT INTO kept VALUES ('killed')`));
    second.program.kill();
    await second.program.exited;
    const third = await start(folder, true);
    const { rows } = await withClient(third.superuserUrl, (client) => client.query('SELECT value FROM kept'));
    await third.program.stop();
    assert.equal(rows, [{ value: 'stopped' }, { value: 'killed' }]);
    assert.is((await stat(third.folder)).mode & 0o777, 0o700);
  }),
);

further(Postgres)('starts again as soon as the last process of a killed one has let go of the data', () =>
  withFolder(async (folder) => {
    const first = await start(folder);
    const [checkpointer] = await withClient(first.superuserUrl, async (client) => {
      const { rows } = await client.query(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`);
      return rows.map(({ pid }) => Number(pid));
    });
    assert.ok(checkpointer);
    process.kill(checkpointer, 'SIGSTOP');
    first.program.kill();
    await first.program.exited;
    const second = start(folder);
    try {
      await eventually('the data are still held', async () =>
        (await readFile(join(folder, 'postgres.log'), 'utf8')).includes('still in use'),
      );
    } finally {
      process.kill(checkpointer, 'SIGKILL');
    }
    await (await second).program.stop();
  }),
);

Postgres(
  'gives core two roles, neither of which passes row-level security, and lets no one in without a password',
  () =>
    withFolder(async (folder) => {
      const { superuserUrl, port, program } = await start(folder);
      // Done at each start: again with another password.
      await createRoles(superuserUrl, { owner: 'old', app: 'old' });
      await createRoles(superuserUrl, { owner: 'of the owner', app: 'of the app' });
      await createDatabase(superuserUrl, 'sample');
      await createDatabase(superuserUrl, 'sample');
      const { rows } = await withClient(superuserUrl, (client) =>
        client.query(
          'SELECT rolname AS name, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty FROM pg_roles WHERE rolname = ANY($1) ORDER BY 1',
          [[appRole, ownerRole]],
        ),
      );
      assert.equal(rows, [
        { name: appRole, mighty: false },
        { name: ownerRole, mighty: false },
      ]);
      const createTable = (url: string) => withClient(url, (client) => client.query('CREATE TABLE made (id int)'));
      await createTable(databaseUrl(ownerRole, 'of the owner', port, 'sample'));
      const asApp = await rejectionOf(createTable(databaseUrl(appRole, 'of the app', port, 'sample')));
      assert.match(asApp.message, 'permission denied');
      const withOld = await rejectionOf(createTable(databaseUrl(ownerRole, 'old', port, 'sample')));
      assert.match(withOld.message, 'password authentication failed');
      await program.stop();
    }),
);

further(Postgres)('that cannot start is reported with the end of its log', () =>
  withFolder(async (folder) => {
    const first = await start(folder);
    const error = await rejectionOf(start(folder));
    await first.program.stop();
    assert.match(error.message, 'ended before it was ready');
    assert.match(error.message, 'postmaster.pid');
  }),
);

Postgres.run();

const Reach = suite('a user who is not root');
const user = { uid: 65_534, gid: 65_534 };

Reach('reaches a path when every folder on the way lets others pass', () =>
  withFolder(async (folder) => {
    const inner = join(folder, 'inner');
    await mkdir(inner, { mode: 0o711 });
    assert.ok(await canReach(join(inner, 'file'), user));
    await chmod(inner, 0o700);
    assert.not(await canReach(join(inner, 'file'), user));
    assert.ok(await canReach(join(inner, 'file'), undefined));
  }),
);

Reach('needs no copy of programs that it reaches', () =>
  withFolder(async (folder) => {
    assert.is(await reachablePrograms(folder, '18', user), folder);
  }),
);

Reach.run();
