import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordCoverage } from '../../../core/coverage/record-coverage.ts';
import { inOrg } from '../../../core/db/session.ts';
import { given } from '../../../core/fields.ts';
import { FindingEntity } from '../../../core/findings/entities.ts';
import { findingReader } from '../../../core/findings/findings.ts';
import { maxEvidenceBytes, maxLocations } from '../../../core/findings/record-findings.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { listFacts, recordFacts } from '../../../core/runs/facts.ts';
import { inRunningRun, readRunningRun } from '../../../core/runs/in-run.ts';
import { reportProgress } from '../../../core/runs/progress.ts';
import { listWrites, recordWrite } from '../../../core/runs/writes.ts';
import { scanRecord } from '../../../core/scans/scan-record.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import {
  ChainLinkSchema,
  HttpActionSchema,
  LocationSchema,
  ObservationSchema,
  ProofSchema,
  ProofStepSchema,
  Severity,
} from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  type Derivation,
  type DerivationSchema,
  FactSchema,
  RecordCoverageRequestSchema,
  RecordFactsRequestSchema,
  RecordWriteRequestSchema,
  ReportProgressRequestSchema,
  WriteSchema,
  WriteState,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { FamilyStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { checked, cover, finding, finish, newOrg, openDatabase, record, refusal } from '../scans/support.ts';

const { em, close } = await openDatabase();
const { LOW, HIGH } = Severity;

async function running() {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  const stored = () =>
    inOrg(em, org.orgId, async (tx) => (await findingReader(tx, await org.row(runId), new Map()))({ limit: 1_000 }));
  const status = () => inOrg(em, org.orgId, async (tx) => scanRecord(tx, await org.row(runId)));
  return { org, runId, stored, status };
}

const place = (path: string) => create(LocationSchema, { url: `https://www.example.com${path}`, method: 'GET' });

const findings = suite('recording of findings');

findings('counts them by severity while the scan runs', async () => {
  const { runId, status } = await running();
  assert.is(await record(em, runId, [finding('a', LOW), finding('b', HIGH)]), 2);
  assert.is(await record(em, runId, [finding('c', LOW)]), 3);
  const { findingsCount, severity } = await status();
  assert.is(findingsCount, 3);
  assert.is(severity?.low, 2);
  assert.is(severity?.high, 1);
});

findings('repeating a call changes nothing', async () => {
  const { runId, stored, status } = await running();
  const call = [finding('a', LOW, { locations: [place('/a'), place('/b')] })];
  await record(em, runId, call);
  const before = await stored();
  assert.is(await record(em, runId, call), 1);
  assert.equal(await stored(), before);
  assert.is((await status()).findingsCount, 1);
});

findings('unites the places of equal fingerprints, of one call and of several, each place once', async () => {
  const { runId, stored } = await running();
  await record(em, runId, [
    finding('a', LOW, { location: place('/1'), locations: [place('/1'), place('/2')] }),
    finding('a', LOW, { location: place('/3') }),
  ]);
  await record(em, runId, [finding('a', LOW, { location: place('/2'), locations: [place('/4')], title: 'another' })]);
  const [only, ...others] = await stored();
  assert.equal(others, []);
  assert.equal(
    only?.locations.map(({ url }) => new URL(url).pathname),
    ['/1', '/2', '/3', '/4'],
  );
  assert.equal(only?.location, only?.locations[0]);
  assert.is(only?.title, 'HSTS is not enforced');
});

for (const isLater of [false, true])
  findings(
    `of two checks that prove one weakness the first by name speaks${isLater ? ', when it comes later, too' : ''}`,
    async () => {
      const { runId, stored, status } = await running();
      const one = finding('a', HIGH, { checkId: 'injection.by-answer', title: 'by answer', location: place('/1') });
      const other = finding('a', LOW, { checkId: 'injection.by-time', title: 'by time', location: place('/2') });
      for (const each of isLater ? [other, one] : [one, other]) await record(em, runId, [each]);
      const [only, ...others] = await stored();
      assert.equal(others, []);
      assert.equal([only?.checkId, only?.title, only?.severity], ['injection.by-answer', 'by answer', HIGH]);
      assert.equal(only?.locations.map(({ url }) => new URL(url).pathname).sort(), ['/1', '/2']);
      const { severity } = await status();
      assert.equal([severity?.high, severity?.low], [1, 0]);
    },
  );

findings('keeps at most 500 places of one', async () => {
  const { runId, stored } = await running();
  const locations = Array.from({ length: maxLocations + 10 }, (_, index) => place(`/${index}`));
  await record(em, runId, [finding('a', LOW, { location: place('/0'), locations })]);
  assert.is((await stored())[0]?.locations.length, maxLocations);
});

findings('calls at the same time lose nothing', async () => {
  const { runId, stored, status } = await running();
  const letters = [...'0123456789abcdef'];
  await Promise.all(letters.map((letter) => record(em, runId, [finding(letter, LOW), finding('a', LOW)])));
  assert.is((await stored()).length, 16);
  assert.is((await status()).severity?.low, 16);
});

findings('stores text that an audited host sent, whatever is in it', async () => {
  const { runId, stored } = await running();
  const description = 'a\0b\u0001\u2028\ud83d\ude00 "\\u0000" </script>';
  await record(em, runId, [finding('a', LOW, { description })]);
  const [only] = await stored();
  assert.is(only?.description, description.replace('\0', '\ufffd'));
});

const step = (bytes: number) =>
  create(ProofStepSchema, { observation: create(ObservationSchema, { excerpt: 'x'.repeat(bytes) }) });
const proof = (init: MessageInitShape<typeof ProofSchema>) => ({
  proof: create(ProofSchema, {
    verifiedAt: timestampFromMs(0),
    steps: [step(1)],
    control: [step(1)],
    trials: 2,
    ...init,
  }),
});

const refused: [what: string, wrong: () => ReturnType<typeof finding>[]][] = [
  ['101 of them', () => Array.from({ length: 101 }, () => finding('a', LOW))],
  ['a short fingerprint', () => [finding('a', LOW, { fingerprint: 'a'.repeat(31) })]],
  ['a fingerprint in upper case', () => [finding('A', LOW)]],
  ['a fingerprint of other letters', () => [finding('g', LOW)]],
  ['one without a severity', () => [finding('a', Severity.UNSPECIFIED)]],
  ['one without a place', () => [finding('a', LOW, { location: undefined })]],
  ['one without a proof', () => [finding('a', LOW, { proof: undefined })]],
  ['a proof without steps', () => [finding('a', LOW, proof({ steps: [] }))]],
  [
    'a link of a chain without a proof',
    () => [finding('a', LOW, { chain: [create(ChainLinkSchema, { actionId: 'a.b' })] })],
  ],
  [
    'a link of a chain without a control',
    () => [finding('a', LOW, { chain: [create(ChainLinkSchema, { actionId: 'a.b', ...proof({ control: [] }) })] })],
  ],
  ['a proof that names no time', () => [finding('a', LOW, { proof: create(ProofSchema, { steps: [step(1)] }) })]],
  ['a proof of one trial', () => [finding('a', LOW, proof({ trials: 1 }))]],
  ['a proof without a control', () => [finding('a', LOW, proof({ control: [] }))]],
  ['too much evidence in a step', () => [finding('a', LOW, proof({ steps: [step(1), step(maxEvidenceBytes)] }))]],
  ['too much evidence in a control', () => [finding('a', LOW, proof({ control: [step(20_000)] }))]],
];
for (const [what, wrong] of refused)
  findings(`refuses ${what}, and stores nothing of the call`, async () => {
    const { runId, stored } = await running();
    const { details } = await refusal(record(em, runId, [finding('b', LOW), ...wrong()]), 'INVALID_PARAMETER');
    assert.match(details.fields?.[0]?.field ?? '', /^findings/);
    assert.equal(await stored(), []);
  });

findings('of a run that has ended, or has not begun, are refused', async () => {
  const { org, runId } = await running();
  const waiting = await org.startRun();
  await refusal(record(em, waiting, [finding('a', LOW)]), 'RUN_NOT_RUNNING');
  await finish(em, runId);
  const { details } = await refusal(record(em, runId, [finding('a', LOW)]), 'RUN_NOT_RUNNING');
  assert.equal(details.metadata, { scanStatus: 'completed' });
  await refusal(record(em, 'x', []), 'NOT_FOUND');
});

findings('more than 64 MiB of a run are refused', async () => {
  const { org, runId } = await running();
  await inOrg(em, org.orgId, (tx) =>
    tx.execute('update scans set stored_bytes = ? where run_id = ?', [64 * 1024 * 1024, runId]),
  );
  await refusal(record(em, runId, [finding('a', LOW)]), 'INVALID_PARAMETER');
  const count = await inOrg(em, org.orgId, (tx) => tx.count(FindingEntity, { runId }));
  assert.is(count, 0);
});

findings.run();

const coverage = suite('recording of coverage');

const uncovered = (em_: typeof em, runId: string, init: MessageInitShape<typeof RecordCoverageRequestSchema>) =>
  checked(RecordCoverageRequestSchema, { runId, ...init }).then((request) =>
    inRunningRun(em_, runId, (tx, scan) => recordCoverage(tx, scan, request)),
  );

const left = (subject: string, text: string, code: OmissionCode = OmissionCode.LOGIN_NOT_PROVEN, count = 1) => ({
  ...{ code, subject, count, text },
});

coverage('counts a place once in a run, however many families and checks leave it out', async () => {
  const { runId, status } = await running();
  await cover(em, runId, 'headers');
  const reported = (count: number, subject: string) => left(subject, `${count} places`, OmissionCode.WOULD_ACT, count);
  await uncovered(em, runId, {
    family: { id: 'auth', status: FamilyStatus.DONE },
    omissions: [reported(3, 'auth'), reported(1, 'auth.csrf')],
    places: [
      { omission: 0, places: ['a', 'b', 'c'] },
      { omission: 1, places: ['c'] },
    ],
  });
  await uncovered(em, runId, {
    family: { id: 'injection', status: FamilyStatus.DONE },
    omissions: [reported(4, 'injection'), reported(7, 'survey')],
    places: [{ omission: 0, places: ['b', 'c', 'd', 'e'] }],
  });
  await finish(em, runId);
  const limits = (await status()).coverage?.limits ?? [];
  assert.equal(
    limits
      .filter(({ code }) => code === OmissionCode.WOULD_ACT)
      .map(({ subject, count, text }) => [subject, count, text]),
    [
      ['auth', 3, '3 places'],
      ['injection', 2, '4 places (2 more are counted elsewhere)'],
      ['survey', 7, '7 places'],
    ],
  );
});

coverage('refuses places of an omission that the call has not', async () => {
  const { runId } = await running();
  const family = { id: 'auth', status: FamilyStatus.DONE };
  for (const places of [
    { omission: 1, places: ['a'] },
    { omission: 0, places: ['a b'] },
  ]) {
    const call = { family, omissions: [left('a', 'x')], places: [places] };
    await refusal(uncovered(em, runId, call), 'INVALID_PARAMETER');
  }
});

coverage('counts what runs until it has ended, and does not take it for ended', async () => {
  const { runId, status } = await running();
  const tls = (state: FamilyStatus, requests: number) =>
    uncovered(em, runId, { family: { id: 'tls', status: state, requests }, omissions: [] });
  const seen = async () => {
    const { requests, coverage: now } = await status();
    return [requests, ...(now?.families.map(({ status: state }) => state) ?? [])];
  };
  await tls(FamilyStatus.RUNNING, 5);
  await tls(FamilyStatus.RUNNING, 7);
  assert.equal(await seen(), [7, FamilyStatus.RUNNING]);
  await tls(FamilyStatus.DONE, 9);
  await tls(FamilyStatus.RUNNING, 8);
  assert.equal(await seen(), [9, FamilyStatus.DONE]);
  await uncovered(em, runId, { family: { id: 'dns', status: FamilyStatus.RUNNING, requests: 1 }, omissions: [] });
  await finish(em, runId);
  const { requests, coverage: now } = await status();
  const [dns] = now?.families ?? [];
  assert.equal(
    [requests, dns?.status, dns?.reason, now?.gaps.map(({ subject }) => subject)],
    [10, FamilyStatus.FAILED, 'the scan ended before it', ['dns']],
  );
});

coverage('takes the place of what was said of the family before, and sums requests up', async () => {
  const { runId, status } = await running();
  const family = { id: 'tls', status: FamilyStatus.FAILED, reason: 'timeout', requests: 5 };
  await uncovered(em, runId, {
    family,
    omissions: [left('a', 'x'), left('b', 'y'), left('b', 'unanswered', OmissionCode.UNREACHABLE)],
  });
  await cover(em, runId, 'headers');
  assert.is((await status()).requests, 8);
  await uncovered(em, runId, {
    family: { ...family, status: FamilyStatus.DONE, requests: 9 },
    omissions: [left('b', 'z')],
  });
  const { requests, coverage: now } = await status();
  assert.is(requests, 12);
  assert.equal(
    now?.families.map(({ id, status: word }) => [id, word]),
    [
      ['headers', FamilyStatus.DONE],
      ['tls', FamilyStatus.DONE],
    ],
  );
  assert.equal(
    now?.gaps.map(({ subject, text }) => [subject, text]),
    [['b', 'z']],
  );
  assert.is(now?.complete, false);
});

coverage('what no family left out adds up', async () => {
  const { runId, status } = await running();
  for (const subject of ['login:a', 'login:b', 'login:a'])
    await uncovered(em, runId, { omissions: [left(subject, 'no marker\0')] });
  const { coverage: now } = await status();
  assert.equal(
    now?.gaps.map(({ subject }) => subject),
    ['login:a', 'login:b'],
  );
});

coverage('takes a thousand entries in one call, and adds up those of one code and subject', async () => {
  const { runId, status } = await running();
  const many = Array.from({ length: 998 }, (_, index) => left(`https://example.com/${index}`, 'x'));
  const twice = [left('login:a', 'first'), left('login:a', 'last')];
  await uncovered(em, runId, { omissions: [...many, ...twice] });
  const { coverage: now } = await status();
  assert.is(now?.gaps.length, 999);
  const { count, text } = now?.gaps.find(({ subject }) => subject === 'login:a') ?? {};
  assert.equal([count, text], [2, 'first; last']);
});

coverage('distinguishes gaps from limits by the code alone', async () => {
  const { runId, status } = await running();
  await uncovered(em, runId, {
    omissions: [left('survey', '17 forms', OmissionCode.WOULD_WRITE, 17), left('survey', 'slow', OmissionCode.TIME)],
  });
  const { coverage: now } = await status();
  assert.equal(
    now?.gaps.map(({ code }) => code),
    [OmissionCode.TIME],
  );
  assert.equal(
    now?.limits.map(({ code, count }) => [code, count]),
    [[OmissionCode.WOULD_WRITE, 17]],
  );
});

coverage('refuses what has no code, or counts nothing', async () => {
  const { runId } = await running();
  for (const omission of [left('a', 'x', OmissionCode.UNSPECIFIED), left('a', 'x', OmissionCode.TIME, 0)])
    await refusal(uncovered(em, runId, { omissions: [omission] }), 'INVALID_PARAMETER');
});

coverage('refuses a family without a name or an end', async () => {
  const { runId } = await running();
  for (const family of [
    { id: '', status: FamilyStatus.DONE },
    { id: 'a' },
    { id: 'a', status: FamilyStatus.DONE, requests: -1 },
  ])
    await refusal(uncovered(em, runId, { family }), 'INVALID_PARAMETER');
});

coverage.run();

const notes = suite('recording of facts, writes and progress');

const fact = (id: string, ...derivations: MessageInitShape<typeof DerivationSchema>[]) =>
  create(FactSchema, {
    ...{ id, kind: 'session', subject: id, attributes: { 'k\0': 'v\0' } },
    derivations: derivations.length > 0 ? derivations : [{ actionId: 'test.x' }],
  });
const put = (runId: string, ...facts: ReturnType<typeof fact>[]) =>
  checked(RecordFactsRequestSchema, { runId, facts }).then((request) =>
    inRunningRun(em, runId, (tx, scan) => recordFacts(tx, scan, request.facts)),
  );
const putWrite = (runId: string, init: MessageInitShape<typeof WriteSchema>) =>
  checked(RecordWriteRequestSchema, { runId, write: init }).then(({ write }) =>
    inRunningRun(em, runId, (tx, scan) => recordWrite(tx, scan, given(write))),
  );
const factsOf = (runId: string) => readRunningRun(em, runId, (tx) => listFacts(tx, runId));

notes('facts are stored once each, in the order in which they came', async () => {
  const { runId } = await running();
  await put(runId, fact('b'));
  await put(runId, fact('a'), fact('b'));
  const listed = await factsOf(runId);
  assert.equal(
    listed.map(({ id }) => id),
    ['b', 'a'],
  );
  assert.equal({ ...listed[0]?.attributes }, { 'k\ufffd': 'v\ufffd' });
});

notes('a fact that is shown in another way keeps both, and in the same way one', async () => {
  const { runId } = await running();
  const ways = async () => (await factsOf(runId)).map((each) => each.derivations.map(wayOf));
  const wayOf = ({ actionId, parents, fingerprint }: Derivation) =>
    [actionId, ...parents, fingerprint ?? '-'].join(' ');
  const first = fact('key', { actionId: 'exposure.a', fingerprint: 'f1' });
  const second = fact('key', { actionId: 'chains.b', parents: ['x', 'y'] });
  await put(runId, first, second);
  for (const again of [first, second, fact('key', { actionId: 'exposure.a', fingerprint: 'f2' })])
    await put(runId, again);
  assert.equal(await ways(), [['exposure.a f1', 'chains.b x y -']]);
  await Promise.all(
    ['c', 'd', 'e'].map((name) => put(runId, fact('key', { actionId: `chains.${name}`, parents: ['x'] }))),
  );
  assert.equal((await ways())[0]?.length, 5);
});

notes('facts that nothing shows, without a name, or more than a hundred at once are refused', async () => {
  const { runId } = await running();
  await refusal(put(runId, ...Array.from({ length: 101 }, () => fact('a'))), 'INVALID_PARAMETER');
  for (const id of ['', 'a\0', 'a'.repeat(129)]) await refusal(put(runId, fact(id)), 'INVALID_PARAMETER');
  await refusal(put(runId, create(FactSchema, { id: 'a', kind: 'session' })), 'INVALID_PARAMETER');
  await refusal(put(runId, fact('a', { actionId: '' })), 'INVALID_PARAMETER');
  assert.equal(await factsOf(runId), []);
});

notes('a write is known before it is sent, and what became of it after', async () => {
  const { runId } = await running();
  const request = create(HttpActionSchema, { method: 'POST', url: 'https://www.example.com/notes' });
  const verify = { url: request.url, assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] };
  const write = (state: WriteState, init: { id?: string; undo?: undefined; undoFailure?: string } = {}) =>
    create(WriteSchema, { id: 'w', request, undo: request, verify, state, ...init });
  const put = (value: ReturnType<typeof write>) => putWrite(runId, value);
  const listed = () => readRunningRun(em, runId, (tx) => listWrites(tx, runId));
  await put(write(WriteState.PENDING));
  assert.equal(
    (await listed()).map(({ state, verify }) => [state, verify?.assertions[0]?.expected]),
    [[WriteState.PENDING, '404']],
  );
  await put(write(WriteState.UNDO_FAILED, { undoFailure: 'it is still there' }));
  assert.equal(
    (await listed()).map(({ state, undoFailure }) => [state, undoFailure]),
    [[WriteState.UNDO_FAILED, 'it is still there']],
  );
  await refusal(put(write(WriteState.UNSPECIFIED)), 'INVALID_PARAMETER');
  await refusal(put(write(WriteState.PENDING, { id: '' })), 'INVALID_PARAMETER');
  await refusal(put(write(WriteState.PENDING, { undo: undefined })), 'INVALID_PARAMETER');
});

notes('a write that grows counts against the limit of the run, and one that shrinks gives back', async () => {
  const { org, runId } = await running();
  const request = create(HttpActionSchema, { method: 'POST', url: 'https://www.example.com/notes' });
  const verify = { url: request.url, assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] };
  const put = async (description: string) => {
    const write = create(WriteSchema, {
      ...{ id: 'w', request, undo: request, verify, description, state: WriteState.PENDING },
    });
    await putWrite(runId, write);
    return (await org.row(runId)).storedBytes;
  };
  const small = await put('x');
  assert.is(await put('x'.repeat(10_001)), small + 10_000);
  assert.is(await put('x'), small);
});

notes('a write that nothing could show to be gone is not taken, and none is undone without that', async () => {
  const { runId } = await running();
  const request = create(HttpActionSchema, { method: 'POST', url: 'https://www.example.com/notes' });
  const put = (state: WriteState, verify?: { url: string }) => {
    const write = create(WriteSchema, { id: 'w', request, undo: request, state, ...(verify ? { verify } : {}) });
    return putWrite(runId, write);
  };
  for (const state of [WriteState.PENDING, WriteState.UNDONE]) {
    await refusal(put(state), 'INVALID_PARAMETER');
    await refusal(put(state, { url: request.url }), 'INVALID_PARAMETER');
  }
  await put(WriteState.UNDO_FAILED);
});

notes(
  'a write without an undo is taken with the place where it stays, and turns into no other kind of write',
  async () => {
    const { runId } = await running();
    const request = create(HttpActionSchema, { method: 'POST', url: 'https://www.example.com/guestbook' });
    const verify = { url: request.url, assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] };
    const put = (id: string, state: WriteState, place: string, undo?: typeof request) =>
      putWrite(runId, { id, request, state, place, ...(undo ? { undo, verify } : {}) });
    const { LEFT, UNCHANGED, PENDING, UNDO_FAILED, UNDONE, UNSEEN } = WriteState;
    for (const wrong of ['', '/guestbook', 'javascript:alert(1)', `https://www.example.com/${'a'.repeat(2_048)}`]) {
      await refusal(put('w', LEFT, wrong), 'INVALID_PARAMETER');
      await refusal(put('w', UNCHANGED, wrong), 'INVALID_PARAMETER');
    }
    for (const state of [PENDING, UNDONE, UNDO_FAILED])
      await refusal(put('w', state, request.url), 'INVALID_PARAMETER');
    await refusal(put('w', LEFT, request.url, request), 'INVALID_PARAMETER');
    await refusal(put('w', PENDING, request.url, request), 'INVALID_PARAMETER');

    await put('w', LEFT, request.url);
    await put('w', UNCHANGED, request.url);
    await put('w', LEFT, `${request.url}/7`);
    const listed = await readRunningRun(em, runId, (tx) => listWrites(tx, runId));
    assert.equal(
      listed.map(({ state, place }) => [state, place]),
      [[LEFT, `${request.url}/7`]],
    );

    await put('x', PENDING, '', request);
    await refusal(put('x', LEFT, request.url), 'INVALID_PARAMETER');
    await put('x', UNDO_FAILED, '', request);
    await refusal(put('x', UNCHANGED, request.url), 'INVALID_PARAMETER');
    await refusal(put('y', UNSEEN, request.url), 'INVALID_PARAMETER');
    await put('x', UNSEEN, '', request);
  },
);

notes(
  'a scope that allows no writes refuses every new one, and lets the undo of earlier ones be reported',
  async () => {
    const { org, runId } = await running();
    const request = create(HttpActionSchema, { method: 'POST', url: 'https://www.example.com/notes' });
    const verify = { url: request.url, assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] };
    const put = (id: string, state: WriteState, init: MessageInitShape<typeof WriteSchema>) =>
      putWrite(runId, create(WriteSchema, { id, request, state, ...init }));
    await put('a', WriteState.PENDING, { undo: request, verify });
    await inOrg(em, org.orgId, (tx) => tx.execute("update domains set writes = 'none' where org_id = ?", [org.orgId]));
    const { details } = await refusal(put('b', WriteState.PENDING, { undo: request, verify }), 'INVALID_PARAMETER');
    assert.match(details.fields?.[0]?.message ?? '', 'the scope of example.com allows no writes');
    await refusal(put('b', WriteState.LEFT, { place: request.url }), 'INVALID_PARAMETER');
    await put('a', WriteState.UNDONE, { undo: request, verify });
  },
);

notes('progress never goes back', async () => {
  const { runId, status } = await running();
  const report = (phase: string, progress: number) =>
    checked(ReportProgressRequestSchema, { runId, phase, progress }).then((request) =>
      inRunningRun(em, runId, async (_, scan) => reportProgress(scan, request)),
    );
  await report('standard', 0.5);
  await report('deep', 0.4);
  const { phase, progress } = await status();
  assert.equal([phase, progress], ['deep', 0.5]);
  for (const wrong of [-0.1, 1.1, Number.NaN]) await refusal(report('deep', wrong), 'INVALID_PARAMETER');
  await refusal(report('lunch', 0.6), 'INVALID_PARAMETER');
});

notes.after(close);
notes.run();
