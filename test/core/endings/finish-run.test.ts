import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { DomainEntity } from '../../../core/domains/entities.ts';
import { sealLogin } from '../../../core/domains/login-settings.ts';
import { finishRun } from '../../../core/endings/finish-run.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { RunSecretEntity } from '../../../core/runs/entities.ts';
import { inRunningRun, readRunningRun } from '../../../core/runs/in-run.ts';
import { openSecret, putSecret } from '../../../core/runs/secrets.ts';
import { recordWrite } from '../../../core/runs/writes.ts';
import { scanRecord } from '../../../core/scans/scan-record.ts';
import { LoginSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  FinishRunRequestSchema,
  RunOutcome,
  WriteSchema,
  WriteState,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth, OutcomeKind, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import {
  cipher,
  completeRun,
  cover,
  finding,
  finish,
  messages,
  newOrg,
  openDatabase,
  record,
  refusal,
  type TestOrg,
} from '../scans/support.ts';

const { em, close } = await openDatabase();
const { COMPLETED, FAILED, CANCELED } = RunOutcome;

const status = (org: TestOrg, runId: string) =>
  inOrg(em, org.orgId, async (tx) => scanRecord(tx, await org.row(runId)));

const begin = suite('begin of a run');

begin('gives what the worker needs, and again when it is repeated', async () => {
  const org = await newOrg(em);
  await inOrg(em, org.orgId, (tx) =>
    tx.nativeUpdate(
      DomainEntity,
      { domain: 'example.com' },
      { startUrls: ['https://www.example.com/app'], excludedPaths: ['/admin'], requestsPerSecond: 7 },
    ),
  );
  const runId = await org.startRun('www.example.com');
  const context = await beginRun(em, runId);
  assert.is(context.url, 'https://www.example.com/');
  assert.is(context.domain, 'example.com');
  assert.is(context.ownershipMethod, 'operator');
  assert.equal(context.startUrls, ['http://www.example.com/', 'https://www.example.com/app']);
  assert.equal(context.excludedPaths, ['/admin']);
  assert.is(context.requestsPerSecond, 7);
  const { startedAt } = await org.row(runId);
  assert.equal(await beginRun(em, runId), context);
  assert.equal((await org.row(runId)).startedAt, startedAt);
});

begin('names the scheme only when the caller did', async () => {
  const org = await newOrg(em);
  assert.equal((await beginRun(em, await org.startRun('http://www.example.com'))).startUrls, []);
});

begin('reports logins of a deep scan only, and by name only', async () => {
  const org = await newOrg(em);
  await org.addLogin('sealed');
  assert.equal((await beginRun(em, await org.startRun('a.example.com'))).logins, []);
  const { logins } = await beginRun(em, await org.startRun('b.example.com', Depth.DEEP));
  assert.equal(
    logins.map(({ name, kind }) => [name, kind]),
    [['a', 'bearer']],
  );
});

begin('is refused for a run that waits for another, that has ended, or that is none', async () => {
  const org = await newOrg(em);
  const first = await org.startRun();
  const waiting = await org.startRun();
  await refusal(beginRun(em, waiting), 'RUN_NOT_RUNNING');
  await completeRun(em, first);
  await refusal(beginRun(em, first), 'RUN_NOT_RUNNING');
  await refusal(beginRun(em, randomUUID()), 'NOT_FOUND');
  await refusal(beginRun(em, "'"), 'NOT_FOUND');
});

begin.run();

const end = suite('end of a run');

end('completed: its credit is spent and its counts stay', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun(), [finding('a', Severity.HIGH)]);
  const scan = await status(org, runId);
  assert.is(scan.status, ScanStatus.COMPLETED);
  assert.is(scan.progress, 1);
  assert.is(scan.phase, 'done');
  assert.is(scan.findingsCount, 1);
  assert.is(scan.credits, 1);
  assert.ok(scan.startedAt && scan.finishedAt);
  assert.equal(await org.balance(), { available: 99, reserved: 0 });
});

end(
  'completed without a part that the worker itself lost: it is refunded, and stays as it is when that is repeated',
  async () => {
    const org = await newOrg(em);
    const runId = await org.startRun();
    await beginRun(em, runId);
    for (const _ of [1, 2])
      await finishRun(em, create(FinishRunRequestSchema, { runId, outcome: COMPLETED, isFree: true }));
    const scan = await status(org, runId);
    assert.is(scan.status, ScanStatus.COMPLETED);
    assert.is(scan.credits, 0);
    assert.equal(await org.balance(), { available: 100, reserved: 0 });
  },
);

end('failed: it says why and is refunded, whether it had begun or not', async () => {
  const org = await newOrg(em);
  for (const hasBegun of [true, false]) {
    const runId = await org.startRun('example.com', Depth.DEEP);
    if (hasBegun) await beginRun(em, runId);
    const failure = { code: 'unreachable', detail: 'no answer\0' };
    await finishRun(em, create(FinishRunRequestSchema, { runId, outcome: FAILED, failure }));
    const scan = await status(org, runId);
    assert.is(scan.status, ScanStatus.FAILED);
    assert.equal([scan.failure?.code, scan.failure?.detail], ['unreachable', 'no answer\ufffd']);
    assert.is(scan.credits, 0);
    assert.is(scan.coverage?.complete, false);
    assert.equal(await org.balance(), { available: 100, reserved: 0 });
  }
});

end('canceled: paid for when it had begun, else refunded', async () => {
  const org = await newOrg(em);
  const unbegun = await org.startRun();
  await finish(em, unbegun, CANCELED);
  assert.equal(await org.balance(), { available: 100, reserved: 0 });
  const begun = await org.startRun();
  await beginRun(em, begun);
  await finish(em, begun, CANCELED);
  assert.equal(await org.balance(), { available: 99, reserved: 0 });
});

end('repeated, it answers the same and moves no more credit; with another outcome it is refused', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  assert.is((await finish(em, runId)).status, ScanStatus.COMPLETED);
  const results = await Promise.allSettled([FAILED, CANCELED, FAILED].map((outcome) => finish(em, runId, outcome)));
  for (const result of results) assert.is(result.status, 'rejected');
  await refusal(finish(em, runId, FAILED), 'RUN_NOT_RUNNING');
  assert.equal(await org.balance(), { available: 99, reserved: 0 });
});

end('ten ends at once: one decides', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  const outcomes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? COMPLETED : FAILED));
  await Promise.allSettled(outcomes.map((outcome) => finish(em, runId, outcome)));
  const { status: decided } = await org.row(runId);
  assert.equal(await org.balance(), { available: decided === 'failed' ? 100 : 99, reserved: 0 });
});

end('a run that never began cannot complete, and one needs an outcome', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await refusal(finish(em, runId, COMPLETED), 'RUN_NOT_RUNNING');
  await refusal(finish(em, runId, RunOutcome.UNSPECIFIED), 'INVALID_PARAMETER');
  await refusal(finish(em, randomUUID()), 'NOT_FOUND');
});

end('the next scan of the host is dispatched', async () => {
  const org = await newOrg(em);
  const first = await org.startRun();
  const second = await org.startRun();
  await finish(em, first, FAILED);
  assert.equal(await messages(em, org.orgId), [`start ${second}`]);
});

end('nothing is stored after it', async () => {
  const org = await newOrg(em);
  const runId = await completeRun(em, await org.startRun());
  await refusal(record(em, runId, [finding('a', Severity.LOW)]), 'RUN_NOT_RUNNING');
  await refusal(cover(em, runId), 'RUN_NOT_RUNNING');
});

end.run();

const complete = suite('completeness at the end');

async function endedWith(depth: Depth, families: [string, OutcomeKind][], hasLogin = false) {
  const org = await newOrg(em);
  if (hasLogin) await org.addLogin('sealed');
  const runId = await org.startRun('example.com', depth);
  await beginRun(em, runId);
  for (const [id, outcome] of families) await cover(em, runId, id, outcome);
  await finish(em, runId);
  const { coverage } = await status(org, runId);
  return [coverage?.complete, coverage?.gaps.map(({ subject }) => subject)];
}

const { CLEAN, NOT_RUN, NOT_APPLICABLE } = OutcomeKind;
const { STANDARD, DEEP } = Depth;

complete('a standard scan whose families all ran is complete', async () => {
  const families: [string, OutcomeKind][] = [
    ['tls', CLEAN],
    ['mail', NOT_APPLICABLE],
  ];
  assert.equal(await endedWith(STANDARD, families), [true, []]);
});

complete('a check that was not run makes it incomplete', async () => {
  assert.equal(await endedWith(STANDARD, [['tls', NOT_RUN]]), [false, ['tls']]);
});

complete('a scan that looked at nothing is incomplete', async () => {
  assert.equal(await endedWith(STANDARD, []), [false, ['standard']]);
});

complete('a deep scan needs an identity and deep checks', async () => {
  assert.equal(
    await endedWith(
      DEEP,
      [
        ['tls', CLEAN],
        ['deep/access', CLEAN],
      ],
      true,
    ),
    [true, []],
  );
  assert.equal(
    await endedWith(DEEP, [
      ['tls', CLEAN],
      ['deep/access', CLEAN],
    ]),
    [false, ['login']],
  );
  assert.equal(await endedWith(DEEP, [['tls', CLEAN]], true), [false, ['deep']]);
});

complete(
  'a change that may still be on the target makes it incomplete, and is named however the run ends',
  async () => {
    const ended = async (outcome: RunOutcome, states: WriteState[]) => {
      const org = await newOrg(em);
      const runId = await org.startRun();
      await beginRun(em, runId);
      await cover(em, runId, 'tls', CLEAN);
      for (const [index, state] of states.entries())
        await inRunningRun(em, runId, (tx, scan) => recordWrite(tx, scan, changeOf(`/${index}`, state)));
      await finish(em, runId, outcome);
      const { coverage } = await status(org, runId);
      return [coverage?.complete, coverage?.gaps.map(({ subject, text }) => `${subject} ${text}`)];
    };
    const { PENDING, UNDONE, UNDO_FAILED } = WriteState;
    const left = ['undo:/0 a change may still be on the target: A.', 'undo:/1 a change may still be on the target: A.'];
    assert.equal(await ended(COMPLETED, [UNDONE, UNDONE]), [true, []]);
    assert.equal(await ended(COMPLETED, [PENDING, UNDO_FAILED, UNDONE]), [false, left]);
    assert.equal(await ended(CANCELED, [PENDING]), [false, left.slice(0, 1)]);
  },
);

complete('what a write without an undo has left, or has not changed, leaves it complete', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  await cover(em, runId, 'tls', CLEAN);
  for (const state of [WriteState.LEFT, WriteState.UNCHANGED]) {
    const url = `https://www.example.com/${state}`;
    const write = create(WriteSchema, { id: url, state, description: 'A.', request: { url }, place: url });
    await inRunningRun(em, runId, (tx, scan) => recordWrite(tx, scan, write));
  }
  await finish(em, runId, COMPLETED);
  const { coverage, entriesLeft } = await status(org, runId);
  assert.equal([coverage?.complete, coverage?.gaps, entriesLeft], [true, [], 1]);
});

const changeOf = (url: string, state: WriteState) =>
  create(WriteSchema, {
    ...{ id: url, state, description: 'A.', request: { url }, undo: { method: 'PUT', url } },
    verify: { url, assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] },
  });

complete.run();

const secrets = suite('secrets of a run');

secrets('are stored encrypted, opened for their run only, and gone with it', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun('a.example.com');
  const other = await org.startRun('b.example.com');
  for (const id of [runId, other]) await beginRun(em, id);
  const value = 'canary-secret';
  await inRunningRun(em, runId, (tx, scan) => putSecret(tx, cipher, scan, { ref: 'fact:1', value: 'old' }));
  await inRunningRun(em, runId, (tx, scan) => putSecret(tx, cipher, scan, { ref: 'fact:1', value }));
  const open = (id: string, ref: string) => readRunningRun(em, id, (tx, scan) => openSecret(tx, cipher, scan, ref));
  assert.is(await open(runId, 'fact:1'), value);
  await refusal(open(other, 'fact:1'), 'NOT_FOUND');
  await refusal(open(runId, 'fact:\0'), 'NOT_FOUND');
  const rows = () => inOrg(em, org.orgId, (tx) => tx.find(RunSecretEntity, { runId }));
  const [row] = await rows();
  assert.not.match(row?.value ?? value, value);
  await finish(em, runId, FAILED);
  assert.equal(await rows(), []);
  await refusal(open(runId, 'fact:1'), 'RUN_NOT_RUNNING');
});

secrets('"login:<name>" opens the login of the domain, and cannot be written', async () => {
  const org = await newOrg(em);
  const login = create(LoginSchema, { kind: { case: 'bearer', value: 'token' } });
  await org.addLogin(sealLogin(cipher, { orgId: org.orgId, domain: 'example.com', name: 'a' }, login));
  const runId = await org.startRun('example.com', DEEP);
  await beginRun(em, runId);
  const open = (ref: string) => readRunningRun(em, runId, (tx, scan) => openSecret(tx, cipher, scan, ref));
  assert.match(await open('login:a'), /"bearer":"token"/);
  await refusal(open('login:b'), 'NOT_FOUND');
  const put = inRunningRun(em, runId, (tx, scan) => putSecret(tx, cipher, scan, { ref: 'login:a', value: 'x' }));
  await refusal(put, 'INVALID_PARAMETER');
});

secrets.after(close);
secrets.run();
