import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { OrgEntity } from '../../../core/orgs/entities.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { getGate } from '../../../core/scans/get-gate.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { RunOutcome } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import {
  GateScope,
  GateUntil,
  GetGateRequestSchema,
  Threshold,
  Verdict,
} from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { completeRun, finding, finish, newOrg, openDatabase, record, refusal, type TestOrg } from './support.ts';

const { em, close } = await openDatabase();
const { MEDIUM, HIGH } = Severity;

type Request = Omit<MessageInitShape<typeof GetGateRequestSchema>, '$typeName'>;
const gate = (org: TestOrg, request: Request, signal = new AbortController().signal) =>
  getGate(em, org.orgId, create(GetGateRequestSchema, request), { signal, take: () => () => {} });

const policy = suite('threshold of a gate');

policy('is the one asked for, else that of the org, else high', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun(), [finding('a', MEDIUM)]);
  assert.is((await gate(org, { runId })).threshold, Threshold.HIGH);
  assert.is((await gate(org, { runId })).passed, true);
  await inOrg(em, org.orgId, (tx) =>
    tx.nativeUpdate(OrgEntity, { id: org.orgId }, { gateThreshold: Threshold.MEDIUM }),
  );
  const byPolicy = await gate(org, { runId });
  assert.equal([byPolicy.threshold, byPolicy.verdict], [Threshold.MEDIUM, Verdict.FAIL]);
  const asked = await gate(org, { runId, threshold: Threshold.NONE });
  assert.equal([asked.threshold, asked.verdict], [Threshold.NONE, Verdict.PASS]);
});

policy.run();

const baseline = suite('baseline of a gate');

baseline('is the completed scan before, or the one that is named', async () => {
  const org = await newOrg(em);
  const first = await completeRun(em, await org.startRun(), [finding('a', HIGH)]);
  const second = await completeRun(em, await org.startRun(), [finding('b', HIGH)]);
  const third = await completeRun(em, await org.startRun(), [finding('a', HIGH), finding('b', HIGH)]);
  const blocking = async (request: Request) =>
    (await gate(org, { scope: GateScope.NEW, ...request })).blocking.map(({ fingerprint }) => fingerprint[0]).join('');
  assert.is(await blocking({ runId: third }), 'a');
  assert.is(await blocking({ runId: third, baseline: first }), 'b');
  assert.is(await blocking({ runId: third, baseline: second }), 'a');
  assert.is(await blocking({ runId: first }), 'a');
  assert.is(await blocking({ runId: third, baseline: first, scope: GateScope.ALL }), 'ab');
});

baseline('of another org is like an unknown one, whatever the scope', async () => {
  const [org, other] = [await newOrg(em), await newOrg(em)];
  const runId = await completeRun(em, await org.startRun());
  const foreign = await completeRun(em, await other.startRun());
  for (const scope of [GateScope.ALL, GateScope.NEW])
    for (const named of [foreign, randomUUID(), 'x'])
      await refusal(gate(org, { runId, scope, baseline: named }), 'NOT_FOUND');
});

baseline('is never the run itself: that would pass whatever was found', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun(), [finding('a', HIGH)]);
  await refusal(gate(org, { runId, scope: GateScope.NEW, baseline: runId }), 'INVALID_PARAMETER');
});

baseline.run();

const wait = suite('wait of a gate');

const elapsedMs = async (work: Promise<unknown>) => {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
};

wait('until a verdict ends as soon as a finding blocks', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  const answer = gate(org, { runId, wait: 20, until: GateUntil.VERDICT });
  await sleep(300);
  await record(em, runId, [finding('a', MEDIUM)]);
  await sleep(700);
  await record(em, runId, [finding('b', HIGH)]);
  const took = await elapsedMs(answer);
  assert.is((await answer).verdict, Verdict.FAIL);
  assert.ok(took < 5_000, `${took} ms`);
});

wait('ends when the scan does, and not with the first finding that blocks', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  const answer = gate(org, { runId, wait: 20 });
  await record(em, runId, [finding('a', HIGH)]);
  assert.is(await Promise.race([answer, sleep(1_500, 'still waiting')]), 'still waiting');
  await finish(em, runId, RunOutcome.FAILED);
  assert.is((await answer).verdict, Verdict.FAIL);
});

wait('ends with pending when the time is up', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  const took = await elapsedMs(gate(org, { runId, wait: 1 }));
  assert.ok(took > 900 && took < 4_000, `${took} ms`);
  assert.is((await gate(org, { runId, wait: 0 })).verdict, Verdict.PENDING);
});

wait('ends with the call', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  const took = await elapsedMs(gate(org, { runId, wait: 20 }, AbortSignal.timeout(300)));
  assert.ok(took < 4_000, `${took} ms`);
});

wait('a finished scan needs none', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  assert.ok((await elapsedMs(gate(org, { runId, wait: 55 }))) < 4_000);
});

wait.after(close);
wait.run();
