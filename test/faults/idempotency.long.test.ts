import { Client as Postgres } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { grantedCredits, openInstallation } from '../workflows/support/installation.ts';

const test = suite('an idempotency key');

test('gives the same scan when core was killed between its commit and its answer', async () => {
  const host = 'shop.localhost';
  const installation = await openInstallation({ host });
  const database = new Postgres({ connectionString: installation.databaseUrl });
  await database.connect();
  try {
    // Row-level security binds the owner too.
    await database.query(`select set_config('app.org_id', '${installation.orgId}', false)`);
    const start = () =>
      installation.scans.startScan({ url: `https://${host}/` }, { headers: { 'idempotency-key': 'pipeline-4711' } });
    const lost = start().catch(() => undefined);
    let runs: string[] = [];
    while (runs.length === 0) {
      const { rows } = await database.query<{ run_id: string }>('select run_id from scans');
      runs = rows.map(({ run_id }) => run_id);
    }
    installation.program('core')?.kill();
    await lost;
    await installation.program('core')?.exited;
    await installation.restartCore();
    const replayed = await Promise.all([start(), start(), start()]);
    assert.equal(
      replayed.map(({ runId }) => runId),
      [runs[0], runs[0], runs[0]],
    );
    const { rows } = await database.query('select run_id from scans');
    assert.is(rows.length, 1);
    const { credit } = await installation.orgs.getOrg({});
    assert.equal([credit?.available, credit?.reserved], [grantedCredits - 1, 1]);
  } finally {
    await database.end();
    await installation.close();
  }
});

test.run();
