import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { deleteScansPastRetention } from '../../../core/housekeeping/retention.ts';
import { ScanEntity } from '../../../core/scans/entities.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { further } from '../../support/further.ts';
import { completeRun, finding, newOrg, openDatabase } from '../scans/support.ts';

const { em, owner, close } = await openDatabase();
const test = suite('retention');
test.after(close);

const signal = new AbortController().signal;

/** Makes a finished scan this old. The plan "test" keeps scans for a day. */
const age = (orgId: string, runId: string, hours: number) =>
  inOrg(em, orgId, (tx) =>
    tx.execute('update scans set finished_at = now() - make_interval(hours => ?) where run_id = ?', [hours, runId]),
  );
const runsOf = (orgId: string) =>
  inOrg(em, orgId, async (tx) => (await tx.find(ScanEntity, {})).map(({ runId }) => runId));
const count = (orgId: string, table: string) =>
  inOrg(em, orgId, async (tx) => {
    const [row] = await tx.execute<{ n: number }[]>(`select count(*)::integer as n from ${table}`);
    return row?.n;
  });

test('deletes what a scan found with it, and keeps the ledger and younger scans', async () => {
  const org = await newOrg(em);
  const old = await completeRun(em, await org.startRun(), [finding('a', Severity.LOW)]);
  const young = await completeRun(em, await org.startRun(), [finding('a', Severity.LOW)]);
  await age(org.orgId, old, 25);
  await age(org.orgId, young, 23);
  const movements = await count(org.orgId, 'ledger_transactions');
  assert.is(await deleteScansPastRetention(em, signal), 1);
  assert.equal(await runsOf(org.orgId), [young]);
  assert.equal([await count(org.orgId, 'findings'), await count(org.orgId, 'family_coverage')], [1, 1]);
  assert.is(await count(org.orgId, 'ledger_transactions'), movements);
});

test('goes on with fewer at a time when a batch is too much for one statement', async () => {
  const org = await newOrg(em);
  for (let index = 0; index < 10; index += 1) await age(org.orgId, await completeRun(em, await org.startRun()), 48);
  const tx = owner.fork();
  await tx.execute(`create function few() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 3 then raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end if;
      return null;
    end $$`);
  await tx.execute(`create trigger few after delete on scans referencing old table as gone
    for each statement execute function few()`);
  try {
    assert.is(await deleteScansPastRetention(em, signal), 10);
    assert.equal(await runsOf(org.orgId), []);
  } finally {
    await tx.execute('drop trigger few on scans');
  }
});

test('goes by the plan that the org has now', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  await age(org.orgId, runId, 48);
  const setPlan = (plan: string) =>
    inOrg(em, org.orgId, (tx) => tx.execute('update orgs set plan = ? where id = ?', [plan, org.orgId]));
  await setPlan('team');
  assert.is(await deleteScansPastRetention(em, signal), 0);
  await setPlan('test');
  assert.is(await deleteScansPastRetention(em, signal), 1);
});

test('reads nothing of what is kept, however many scans that is', async () => {
  const [keeper, leaver] = [await newOrg(em), await newOrg(em)];
  const kept = await completeRun(em, await keeper.startRun());
  const due = await completeRun(em, await leaver.startRun());
  await age(leaver.orgId, due, 48);
  await inOrg(em, keeper.orgId, async (tx) => {
    await tx.execute('update orgs set plan = ? where id = ?', ['business', keeper.orgId]);
    await tx.execute(
      `insert into scans select (jsonb_populate_record(s, jsonb_build_object('run_id', uuidv7(),
         'finished_at', now() - interval '300 days'))).* from scans s, generate_series(1, 3000) where run_id = ?`,
      [kept],
    );
  });
  const read = await em.fork().transactional(async (tx) => {
    const [row] = await tx.execute<{ deleted: number }[]>('select delete_scans_past_retention(20) as deleted');
    assert.is(row?.deleted, 1);
    const [rows] = await tx.execute<{ count: number }[]>(
      "select (seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_xact_user_tables where relname = 'scans'",
    );
    return rows?.count ?? Number.NaN;
  });
  assert.ok(read < 100, `it read ${read} rows`);
  assert.is((await runsOf(keeper.orgId)).length, 3_001);
});

test('never deletes a scan that has not finished', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await inOrg(em, org.orgId, (tx) => tx.execute("update scans set created_at = now() - interval '900 days'"));
  assert.is(await deleteScansPastRetention(em, signal), 0);
  assert.equal(await runsOf(org.orgId), [runId]);
});

further(test)('deletes in batches, and each scan once when several do it', async () => {
  const org = await newOrg(em);
  for (let made = 0; made < 45; made += 1)
    await age(org.orgId, await completeRun(em, await org.startRun(`https://h${made}.example.com`)), 30);
  const deleted = await Promise.all([1, 2, 3].map(() => deleteScansPastRetention(em, signal)));
  assert.is(
    deleted.reduce((a, b) => a + b),
    45,
  );
  assert.equal(await runsOf(org.orgId), []);
});

test.run();
