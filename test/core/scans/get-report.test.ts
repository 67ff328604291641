import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { createReportCache, getReport } from '../../../core/scans/get-report.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { RunOutcome } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { completeRun, finding, finish, newOrg, openDatabase, refusal } from './support.ts';

const { em, close } = await openDatabase();

const report = suite('report of a scan');

report('is an HTML document that shows the findings and the org', async () => {
  const org = await newOrg(em);
  const found = [finding('a', Severity.HIGH, { title: '<script>alert(1)</script>' })];
  const runId = await completeRun(em, await org.startRun(), found);
  const html = (await getReport(em, createReportCache(), org.orgId, runId)).toString();
  assert.match(html, /^<!doctype html>/i);
  assert.ok(html.includes('&lt;script&gt;alert(1)'));
  assert.not(html.includes('<script>alert(1)'));
  assert.ok(html.includes('Example &amp; Co'));
});

report('is rendered once for each revision', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  const cache = createReportCache();
  const first = await getReport(em, cache, org.orgId, runId);
  assert.is(await getReport(em, cache, org.orgId, runId), first);
});

report('is refused until the scan has completed, and of a foreign scan, rendered before or not', async () => {
  const [org, other] = [await newOrg(em), await newOrg(em)];
  const runId = await org.startRun();
  const cache = createReportCache();
  const read = (orgId: string) => getReport(em, cache, orgId, runId);
  await refusal(read(org.orgId), 'SCAN_NOT_COMPLETED');
  await completeRun(em, runId);
  await read(org.orgId);
  await refusal(read(other.orgId), 'NOT_FOUND');
  const canceled = await org.startRun();
  await beginRun(em, canceled);
  await finish(em, canceled, RunOutcome.CANCELED);
  await refusal(getReport(em, cache, org.orgId, canceled), 'SCAN_NOT_COMPLETED');
});

report('the cache keeps within its bytes, and drops the one used longest ago', () => {
  const cache = createReportCache(10);
  cache.set('a', Buffer.alloc(4));
  cache.set('b', Buffer.alloc(4));
  cache.get('a');
  cache.set('c', Buffer.alloc(4));
  assert.equal([cache.get('a')?.length, cache.get('b')?.length, cache.get('c')?.length], [4, undefined, 4]);
  cache.set('d', Buffer.alloc(11));
  assert.equal(
    ['a', 'c', 'd'].map((key) => cache.get(key)?.length),
    [4, 4, undefined],
  );
});

report.after(close);
report.run();
