import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../core/db/session.ts';
import { CreditService } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { approve, newOrg, startCore } from './support.ts';

const test = suite('figures for the operations door');

test('count scans, the age of the queue, credit and calls', async () => {
  const core = await startCore();
  const registry = new Registry();
  core.program.registerMetrics(registry);
  try {
    const { orgId, key } = await newOrg(core);
    await core.operator(CreditService).grantCredits({ orgId, amount: 7, reason: 'x', idempotencyKey: 'x' });
    await approve(core, orgId, 'example.com', true);
    for (const host of ['a', 'b'])
      await core
        .as(key)(ScanService)
        .startScan({ url: `${host}.example.com` });
    await inOrg(core.program.core.em, orgId, (tx) =>
      tx.execute("insert into outbox (org_id, kind, key, available_at) values (?, 'start', 'refused', 'infinity')", [
        orgId,
      ]),
    );
    const text = await registry.metrics();
    for (const line of [
      'scanaudit_scans_unfinished{status="queued"} 2',
      'scanaudit_scans_unfinished{status="running"} 0',
      'scanaudit_scans_ended_last_hour{status="completed"} 0',
      'scanaudit_credits{state="available"} 5',
      'scanaudit_credits{state="reserved"} 2',
      'scanaudit_messages_parked 1',
      'scanaudit_database_up 1',
    ])
      assert.match(text, line);
    assert.match(text, /scanaudit_queue_age_seconds [\d.]+/);
    assert.match(text, /scanaudit_rpc_duration_seconds_count\{rpc="scanaudit.v1.ScanService\/StartScan",code="ok"\} 2/);
  } finally {
    await core.close();
  }
});

test('say so when the database cannot be asked', async () => {
  const core = await startCore();
  const registry = new Registry();
  core.program.registerMetrics(registry);
  await core.close();
  assert.match(await registry.metrics(), 'scanaudit_database_up 0');
});

test.run();
