import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inSystem } from '../../../core/db/session.ts';
import { openDatabase } from '../scans/support.ts';

const poolSize = 2;
const { em, owner, close } = await openDatabase(poolSize);

/** A transaction whose connection is lost before it is committed. */
const loseOne = () =>
  inSystem(em, 'dispatcher', async (tx) => {
    const [row] = await tx.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
    await em.fork().execute('select pg_terminate_backend(?)', [row?.pid]);
  });

const pool = suite('pool of connections');

pool('gives connections after more were lost in transactions than it holds', async () => {
  for (let lost = 0; lost < poolSize + 2; lost++) {
    let failure: unknown;
    await loseOne().catch((error: unknown) => {
      failure = error;
    });
    assert.instance(failure, Error);
  }
  const both = [1, 2].map(() => inSystem(em, 'dispatcher', (tx) => tx.execute('select pg_sleep(0.05)')));
  assert.is((await Promise.all(both)).length, poolSize);
});

pool('lost connections outside of transactions need no help', async () => {
  for (let lost = 0; lost < poolSize + 2; lost++)
    await em
      .fork()
      .execute('select pg_terminate_backend(pg_backend_pid())')
      .catch(() => {});
  const [row] = await em.fork().execute<{ one: number }[]>('select 1 as one');
  assert.is(row?.one, 1);
  await owner.fork().execute('select 1');
});

pool.after(close);
pool.run();
