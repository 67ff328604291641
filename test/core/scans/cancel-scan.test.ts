import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { cancelScan } from '../../../core/scans/cancel-scan.ts';
import { RunOutcome } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { completeRun, finish, messages, newOrg, openDatabase, refusal } from './support.ts';

const { em, close } = await openDatabase();

const cancel = suite('cancel of a scan');

cancel('one that waits for another of its host ends at once, refunded', async () => {
  const org = await newOrg(em);
  const first = await org.startRun();
  const waiting = await org.startRun();
  const scan = await cancelScan(em, org.orgId, waiting);
  assert.is(scan.status, ScanStatus.CANCELED);
  assert.is(scan.credits, 0);
  assert.is(scan.phase, 'done');
  assert.ok(scan.finishedAt);
  assert.equal(await org.balance(), { available: 99, reserved: 1 });
  assert.equal(await messages(em, org.orgId), [`start ${first}`]);
});

cancel('one that Temporal was not informed of yet ends at once, refunded, and the next one starts', async () => {
  const org = await newOrg(em);
  const first = await org.startRun();
  const second = await org.startRun();
  assert.is((await cancelScan(em, org.orgId, first)).status, ScanStatus.CANCELED);
  assert.equal(await messages(em, org.orgId), [`cancel ${first}`, `start ${second}`]);
  assert.equal(await org.balance(), { available: 99, reserved: 1 });
  await refusal(beginRun(em, first), 'RUN_NOT_RUNNING');
});

cancel('a running one is asked to stop, once, and is paid for when it has', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  for (const _ of [1, 2]) {
    const scan = await cancelScan(em, org.orgId, runId);
    assert.is(scan.status, ScanStatus.RUNNING);
  }
  assert.equal(
    (await messages(em, org.orgId)).filter((message) => message.startsWith('cancel')),
    [`cancel ${runId}`],
  );
  assert.equal(await org.balance(), { available: 99, reserved: 1 });
  await finish(em, runId, RunOutcome.CANCELED);
  assert.equal(await org.balance(), { available: 99, reserved: 0 });
  assert.is((await org.row(runId)).credits, 1);
});

cancel('a finished one is refused, with how it ended', async () => {
  const org = await newOrg(em);
  const completed = await completeRun(em, await org.startRun());
  const { details } = await refusal(cancelScan(em, org.orgId, completed), 'SCAN_FINISHED');
  assert.equal(details.metadata, { scanStatus: 'completed' });
  const canceled = await org.startRun();
  await cancelScan(em, org.orgId, canceled);
  const again = await refusal(cancelScan(em, org.orgId, canceled), 'SCAN_FINISHED');
  assert.equal(again.details.metadata, { scanStatus: 'canceled' });
});

cancel('an unknown one, a foreign one and no id at all are refused alike', async () => {
  const [org, other] = [await newOrg(em), await newOrg(em)];
  const foreign = await other.startRun();
  const refusals = [];
  for (const runId of [randomUUID(), foreign, 'x', '', `${foreign}\0`, foreign.toUpperCase()])
    refusals.push(await refusal(cancelScan(em, org.orgId, runId), 'NOT_FOUND'));
  assert.is(new Set(refusals.map(({ message, details }) => JSON.stringify([message, details]))).size, 1);
  assert.is((await other.row(foreign)).status, 'queued');
});

cancel('cancels, starts and ends of one host at the same time neither block each other nor lose credit', async () => {
  const org = await newOrg(em);
  const runs = await Promise.all(Array.from({ length: 10 }, () => org.startRun()));
  const work: Promise<unknown>[] = [];
  for (const runId of runs.slice(0, 8)) work.push(cancelScan(em, org.orgId, runId));
  work.push(completeRun(em, (await dispatched(runs)) ?? ''), org.startRun(), org.startRun());
  const results = await Promise.allSettled(work);
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason.reason), /RUN_NOT_RUNNING|SCAN_FINISHED/);
  const rows = await Promise.all(runs.map((runId) => org.row(runId)));
  const spent = rows.filter(({ status }) => status === 'completed').length;
  const held = rows.filter(({ finishedAt }) => !finishedAt).length + 2;
  assert.equal(await org.balance(), { available: 100 - spent - held, reserved: held });

  async function dispatched(runIds: string[]): Promise<string | undefined> {
    const all = await Promise.all(runIds.map((runId) => org.row(runId)));
    return all.find((row) => row.dispatchedAt && !row.finishedAt)?.runId;
  }
});

cancel.after(close);
cancel.run();
