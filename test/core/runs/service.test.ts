import { createHash, randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import {
  PutArtifactRequestSchema,
  RunOutcome,
  RunService,
  WriteState,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { approve, isRefused, newOrg, startCore } from '../support.ts';

const core = await startCore();
const { orgId, key } = await newOrg(core);
await approve(core, orgId, 'example.com', true);
await core.operator(CreditService).grantCredits({ orgId, amount: 100, reason: 'test', idempotencyKey: 'a' });
const { secret } = await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'worker' });
const worker = core.as(secret)(RunService);
const scans = core.as(key)(ScanService);

let count = 0;
async function beginRun() {
  count += 1;
  const { runId } = await scans.startScan({ url: `h${count}.example.com` });
  await worker.beginRun({ runId });
  return runId;
}

async function* chunks(runId: string, name: string, content: Uint8Array, size = 1024 * 1024) {
  for (let start = 0; start === 0 || start < content.byteLength; start += size) {
    const header = start === 0 ? { runId, name, contentType: 'application/json' } : {};
    yield create(PutArtifactRequestSchema, { ...header, chunk: content.subarray(start, start + size) });
  }
}

async function read(runId: string, ref: string) {
  const parts: Uint8Array[] = [];
  for await (const { chunk } of worker.getArtifact({ runId, ref })) {
    assert.ok(chunk.byteLength <= 1024 * 1024);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

const service = suite('RunService');

service('is for workers only', async () => {
  const runId = await beginRun();
  await isRefused(core.as(key)(RunService).getRun({ runId }), 'WRONG_KEY_KIND');
  await isRefused(core.operator(RunService).getRun({ runId }), 'WRONG_KEY_KIND');
});

further(service)('an artifact of several chunks is stored under its hash and comes back byte for byte', async () => {
  const runId = await beginRun();
  const content = randomBytes(2_500_000);
  const { ref, sizeBytes } = await worker.putArtifact(chunks(runId, 'surface', content));
  assert.is(ref, createHash('sha256').update(content).digest('hex'));
  assert.is(sizeBytes, content.byteLength);
  assert.ok((await read(runId, ref)).equals(content));
  assert.ok((await read(runId, 'surface')).equals(content));
});

service('a name means the newest of it, a ref always the same; an empty artifact is one', async () => {
  const runId = await beginRun();
  const put = async (text: string) => (await worker.putArtifact(chunks(runId, 'surface:A', Buffer.from(text)))).ref;
  const first = await put('one');
  await put('');
  assert.is((await read(runId, 'surface:A')).toString(), '');
  await put('two');
  assert.is((await read(runId, 'surface:A')).toString(), 'two');
  assert.is((await read(runId, first)).toString(), 'one');
  assert.is(await put('one'), first);
  assert.is((await read(runId, 'surface:A')).toString(), 'one');
});

service('stores the same artifact once, compressed', async () => {
  const runId = await beginRun();
  const content = Buffer.alloc(5_000_000, 'a');
  for (const _ of [1, 2]) await worker.putArtifact(chunks(runId, 'page', content));
  const [row] = await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute<{ bytes: number; stored: number; rows: number }[]>(
      `select sum(length(content))::int as bytes, max(stored_bytes) as stored, count(*)::int as rows
       from artifacts join scans using (run_id) where run_id = ?`,
      [runId],
    ),
  );
  assert.is(row?.rows, 1);
  assert.is(row?.stored, row?.bytes);
  assert.ok((row?.bytes ?? 0) < 50_000);
});

service('artifacts of one run are not those of another', async () => {
  const [one, two] = [await beginRun(), await beginRun()];
  const { ref } = await worker.putArtifact(chunks(one, 'surface', Buffer.from('x')));
  await isRefused(read(two, ref), 'NOT_FOUND');
  await isRefused(read(two, 'surface'), 'NOT_FOUND');
});

service('refuses a chunk of more than 1 MiB, a name that is none, and more than 64 MiB of a run', async () => {
  const runId = await beginRun();
  const put = (name: string, content: Uint8Array, size?: number) =>
    worker.putArtifact(chunks(runId, name, content, size));
  await isRefused(put('surface', Buffer.alloc(1024 * 1024 + 1), 2 * 1024 * 1024), 'INVALID_PARAMETER');
  for (const name of ['', 'a b', 'ü', '1', 'a'.repeat(129), 'a'.repeat(64)])
    await isRefused(put(name, Buffer.alloc(1)), 'INVALID_PARAMETER');
  await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute('update scans set stored_bytes = ? where run_id = ?', [64 * 1024 * 1024 - 50_000, runId]),
  );
  await isRefused(put('last', randomBytes(100_000)), 'INVALID_PARAMETER');
  await put('small', randomBytes(1_000));
});

service('the address of a finding has at most 8,192 characters', async () => {
  const runId = await beginRun();
  const url = `https://a.example/${'a'.repeat(8_192)}`;
  await isRefused(worker.recordFindings({ runId, findings: [{ location: { url } }] }), 'INVALID_PARAMETER');
  await isRefused(worker.recordFindings({ runId, findings: [{ locations: [{ url }] }] }), 'INVALID_PARAMETER');
});

service('a run from begin to end, and nothing after it', async () => {
  const runId = await beginRun();
  assert.is((await scans.getScan({ runId })).status, ScanStatus.RUNNING);
  await worker.reportProgress({ runId, phase: 'standard', progress: 0.5 });
  assert.is((await scans.getScan({ runId })).progress, 0.5);
  assert.is((await worker.finishRun({ runId, outcome: RunOutcome.COMPLETED })).status, ScanStatus.COMPLETED);
  const request = { method: 'POST', url: 'https://www.example.com/' };
  const write = { id: 'w', request, undo: request, state: WriteState.UNDO_FAILED };
  const calls = [
    () => worker.beginRun({ runId }),
    () => worker.getRun({ runId }),
    () => worker.reportProgress({ runId, phase: 'standard', progress: 1 }),
    () => worker.putArtifact(chunks(runId, 'late', Buffer.alloc(1))),
    () => read(runId, 'late'),
    () => worker.recordFindings({ runId }),
    () => worker.recordCoverage({ runId }),
    () => worker.recordFacts({ runId }),
    () => worker.listFacts({ runId }),
    () => worker.recordWrite({ runId, write }),
    () => worker.listWrites({ runId }),
    () => worker.putSecret({ runId, ref: 'a', value: 'b' }),
    () => worker.openSecret({ runId, ref: 'a' }),
    () => worker.finishRun({ runId, outcome: RunOutcome.FAILED }),
  ];
  for (const call of calls) await isRefused(call(), 'RUN_NOT_RUNNING');
  const report = await scans.getReport({ runId });
  assert.is(report.contentType, 'text/html; charset=utf-8');
});

service.after(core.close);
service.run();
