import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withClient } from '../../dev/postgres.ts';
import { eventually } from '../support/processes.ts';
import { rejectionOf } from '../support/rejection.ts';
import { superuserVariable, testDatabase, testTemporal } from '../support/servers.ts';

const Databases = suite('a database for a test file');

Databases('belongs to it alone, and is gone once it is dropped', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  await withClient(one.ownerUrl, (client) => client.query('CREATE TABLE made (id int)'));
  const elsewhere = await rejectionOf(withClient(other.ownerUrl, (client) => client.query('SELECT FROM made')));
  assert.match(elsewhere.message, 'does not exist');
  await Promise.all([one.drop(), other.drop()]);
  const dropped = await rejectionOf(withClient(one.appUrl, (client) => client.query('SELECT 1')));
  assert.match(dropped.message, 'does not exist');
});

Databases('stands beside a Temporal that answers', async () => {
  assert.match((await testTemporal()).address, /^127\.0\.0\.1:\d+$/);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  Databases(`goes with a file that is run by hand and ended by ${signal}`, async () => {
    const module = join(import.meta.dirname, '../support/servers.ts');
    const script = `
      const { testDatabase } = await import(${JSON.stringify(module)});
      console.log((await testDatabase()).ownerUrl);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, [superuserVariable]: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
    await withClient(String(url).trim(), (client) => client.query('SELECT 1'));
    process.kill(-(child.pid ?? 0), signal);
    const isGone = () =>
      withClient(String(url).trim(), (client) => client.query('SELECT 1')).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
      );
    await eventually('its server is gone', isGone);
  });
}

Databases.run();
