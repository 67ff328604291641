import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFindings } from '../../../core/findings/list-findings.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { BaselineState, FindingState, Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { RunOutcome } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth, ListFindingsRequestSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { completeRun, finding, finish, newOrg, openDatabase, record, refusal, type TestOrg } from '../scans/support.ts';

const { em, close } = await openDatabase();
const { INFO, LOW, MEDIUM, HIGH, CRITICAL } = Severity;

type Filter = Omit<MessageInitShape<typeof ListFindingsRequestSchema>, '$typeName'>;
const page = (org: TestOrg, request: Filter) => listFindings(em, org.orgId, create(ListFindingsRequestSchema, request));
const letters = async (org: TestOrg, request: Filter) =>
  (await page(org, request)).items.map(({ fingerprint }) => fingerprint[0]).join('');

const list = suite('list of findings');

list('shows the worst first, in pages that miss and repeat nothing', async () => {
  const org = await newOrg(em);
  const found = [
    finding('a', LOW),
    finding('b', CRITICAL),
    finding('c', LOW),
    finding('d', INFO),
    finding('e', HIGH),
    finding('f', LOW),
  ];
  const runId = await completeRun(em, await org.startRun(), found);
  assert.is(await letters(org, { runId }), 'beacfd');
  const pages: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { items, nextCursor } = await page(org, { runId, limit: 2, cursor });
    pages.push(items.map(({ fingerprint }) => fingerprint[0]).join(''));
    cursor = nextCursor;
  }
  assert.equal(pages, ['be', 'ac', 'fd']);
});

list('filters by severities, by the least severity, and by both', async () => {
  const org = await newOrg(em);
  const found = [
    finding('a', INFO),
    finding('b', LOW),
    finding('c', MEDIUM),
    finding('d', HIGH),
    finding('e', CRITICAL),
  ];
  const runId = await completeRun(em, await org.startRun(), found);
  assert.is(await letters(org, { runId, severity: [LOW, CRITICAL] }), 'eb');
  assert.is(await letters(org, { runId, minSeverity: MEDIUM }), 'edc');
  assert.is(await letters(org, { runId, severity: [LOW, HIGH], minSeverity: MEDIUM }), 'd');
  assert.is(await letters(org, { runId, state: FindingState.OPEN }), 'edcba');
  assert.is(await letters(org, { runId, state: FindingState.FALSE_POSITIVE }), '');
});

list('is refused until the scan has completed, and for ever when it cannot any more', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  const queued = await refusal(page(org, { runId }), 'SCAN_NOT_COMPLETED');
  assert.equal(queued.details.metadata, { scanStatus: 'queued' });
  assert.ok(queued.details.retryAfterMs);
  await beginRun(em, runId);
  await record(em, runId, [finding('a', HIGH)]);
  const running = await refusal(page(org, { runId }), 'SCAN_NOT_COMPLETED');
  assert.equal(running.details.metadata, { scanStatus: 'running' });
  await finish(em, runId, RunOutcome.FAILED);
  const failed = await refusal(page(org, { runId }), 'SCAN_NOT_COMPLETED');
  assert.equal(failed.details.metadata, { scanStatus: 'failed' });
  assert.is(failed.details.retryAfterMs, undefined);
});

list('of a foreign scan is like that of an unknown one', async () => {
  const [org, other] = [await newOrg(em), await newOrg(em)];
  const foreign = await completeRun(em, await other.startRun(), [finding('a', HIGH)]);
  const unknown = await refusal(page(org, { runId: randomUUID() }), 'NOT_FOUND');
  const theirs = await refusal(page(org, { runId: foreign }), 'NOT_FOUND');
  assert.equal([theirs.message, theirs.details], [unknown.message, unknown.details]);
});

list('refuses a cursor and a severity that are none', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  await refusal(page(org, { runId, severity: [Severity.UNSPECIFIED] }), 'INVALID_PARAMETER');
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const cursor of ['x', forged([9, 'a'.repeat(32)]), forged([1, "'"])])
    await refusal(page(org, { runId, cursor }), 'INVALID_PARAMETER');
});

list.run();

const baseline = suite('baseline of findings');

const states = async (org: TestOrg, runId: string) =>
  Object.fromEntries(
    (await page(org, { runId })).items.map(({ fingerprint, baselineState, firstSeenRunId }) => [
      fingerprint[0],
      [baselineState === BaselineState.NEW ? 'new' : 'unchanged', firstSeenRunId],
    ]),
  );

baseline(
  'is the completed scan of the same host and depth before; the first run to see a weakness is remembered',
  async () => {
    const org = await newOrg(em);
    const first = await completeRun(em, await org.startRun(), [finding('a', HIGH), finding('b', LOW)]);
    const second = await completeRun(em, await org.startRun(), [finding('b', LOW), finding('c', LOW)]);
    const third = await completeRun(em, await org.startRun(), [finding('a', HIGH), finding('c', LOW)]);
    assert.equal(await states(org, first), { a: ['new', first], b: ['new', first] });
    assert.equal(await states(org, second), { b: ['unchanged', first], c: ['new', second] });
    // What came back after it was gone is new again, though it was seen before.
    assert.equal(await states(org, third), { a: ['new', first], c: ['unchanged', second] });
  },
);

baseline('is no scan that failed, of another host, of another depth, or of another org', async () => {
  const [org, other] = [await newOrg(em), await newOrg(em)];
  const failed = await org.startRun();
  await beginRun(em, failed);
  await record(em, failed, [finding('a', HIGH)]);
  await finish(em, failed, RunOutcome.FAILED);
  await completeRun(em, await org.startRun('b.example.com'), [finding('b', HIGH)]);
  await completeRun(em, await org.startRun('www.example.com', Depth.DEEP), [finding('c', HIGH)]);
  await completeRun(em, await other.startRun(), [finding('d', HIGH)]);
  const found = ['a', 'b', 'c', 'd'].map((letter) => finding(letter, HIGH));
  const runId = await completeRun(em, await org.startRun(), found);
  const seen = await states(org, runId);
  for (const letter of ['a', 'b', 'c', 'd']) assert.is(seen[letter]?.[0], 'new', letter);
  assert.is(seen.a?.[1], failed);
  assert.is(seen.b?.[1], runId);
  assert.is(seen.d?.[1], runId);
});

baseline.after(close);
baseline.run();
