import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Issues } from '../../gateway/issues.ts';
import { readRestJson, toRestJson } from '../../gateway/json.ts';
import type { Json } from '../../kit/json.ts';
import { DomainSchema, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { FindingSchema, FindingState, LocationSchema, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { IssueKeyRequestSchema, KeySchema } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { UpdateOrgRequestSchema } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { RecordWriteRequestSchema, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import {
  Depth,
  GateSchema,
  ListScansRequestSchema,
  ListScansResponseSchema,
  ScanSchema,
  ScanStatus,
  StartScanRequestSchema,
  Threshold,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';

const writing = suite('toRestJson');

writing('writes enum values as lower-case words without their prefix', () => {
  assert.is(toRestJson(ScanSchema, create(ScanSchema, { depth: Depth.DEEP })).depth, 'deep');
  assert.is(toRestJson(ScanSchema, create(ScanSchema, { status: ScanStatus.COMPLETED })).status, 'completed');
  assert.is(
    toRestJson(FindingSchema, create(FindingSchema, { state: FindingState.ACCEPTED_RISK })).state,
    'accepted_risk',
  );
  assert.is(toRestJson(KeySchema, create(KeySchema, { kind: KeyKind.ORG })).kind, 'org');
  assert.is(toRestJson(GateSchema, create(GateSchema, { threshold: Threshold.NONE })).threshold, 'none');
});

writing('leaves out enum values that are unspecified or not known', () => {
  assert.not('depth' in toRestJson(ScanSchema, create(ScanSchema)));
  assert.not('depth' in toRestJson(ScanSchema, create(ScanSchema, { depth: 99 as Depth })));
});

writing('always writes fields without presence and lists, and leaves out optional ones that are not set', () => {
  assert.equal(toRestJson(ListScansResponseSchema, create(ListScansResponseSchema)), { items: [] });
  const json = toRestJson(ScanSchema, create(ScanSchema, { runId: 'r' }));
  assert.is(json.findingsCount, 0);
  assert.is(json.progress, 0);
  assert.is(json.url, '');
  assert.is(toRestJson(GateSchema, create(GateSchema)).passed, false);
  for (const name of ['startedAt', 'finishedAt', 'failure', 'severity']) assert.not(name in json, name);
  const bare = create(LocationSchema, { url: 'https://a/', method: 'GET' });
  assert.equal(toRestJson(LocationSchema, bare), { url: 'https://a/', method: 'GET' });
  assert.is(toRestJson(LocationSchema, create(LocationSchema, { parameter: '' })).parameter, '');
});

writing('writes times in RFC 3339', () => {
  const verifiedAt = timestampFromDate(new Date('2026-02-03T04:05:06.789Z'));
  assert.is(toRestJson(DomainSchema, create(DomainSchema, { verifiedAt })).verifiedAt, '2026-02-03T04:05:06.789Z');
});

writing('writes messages inside of messages and lists', () => {
  const finding = create(FindingSchema, {
    severity: Severity.HIGH,
    location: { url: 'https://a/', method: 'GET' },
    locations: [{ url: 'https://a/', method: 'GET' }],
    proof: { steps: [{ action: { case: 'dns', value: { name: 'a', type: 'TXT' } }, note: 'n' }] },
  });
  const json = toRestJson(FindingSchema, finding) as { locations: Json[]; proof: { steps: Record<string, Json>[] } };
  assert.equal(json.locations, [{ url: 'https://a/', method: 'GET' }]);
  assert.equal(json.proof.steps[0]?.dns, { name: 'a', type: 'TXT', server: '' });
  assert.not('http' in (json.proof.steps[0] ?? {}));
});

const reading = suite('readRestJson');

function read(desc: Parameters<typeof create>[0], json: Json, omit?: ReadonlySet<string>) {
  const message = reflect(desc, create(desc));
  const issues = new Issues();
  readRestJson(message, json, issues, '', omit);
  return {
    issues: issues.first,
    message: message.message as unknown as Record<string, unknown>,
  };
}

reading('reads lower-case words, nested messages and times', () => {
  const start = read(StartScanRequestSchema, { url: 'example.com', depth: 'deep' });
  assert.equal(start.issues, []);
  assert.is(start.message.depth, Depth.DEEP);
  assert.is(start.message.url, 'example.com');
  const key = read(IssueKeyRequestSchema, { kind: 'worker', scopes: ['a', 'b'], expiresAt: '2026-01-31T12:00:00Z' });
  assert.equal(key.issues, []);
  assert.equal(key.message.scopes, ['a', 'b']);
  assert.is((key.message.expiresAt as { seconds: bigint }).seconds, 1769860800n);
  const write = read(RecordWriteRequestSchema, { write: { state: 'undo_failed', request: { method: 'PUT' } } });
  assert.equal(write.issues, []);
  assert.is((write.message.write as { state: number }).state, WriteState.UNDO_FAILED);
});

const refused: [what: string, desc: Parameters<typeof create>[0], json: Json, reason: string, field: string][] = [
  ['a proto name of an enum value', StartScanRequestSchema, { depth: 'DEPTH_DEEP' }, 'INVALID_DEPTH', 'depth'],
  ['an enum word in capitals', StartScanRequestSchema, { depth: 'Deep' }, 'INVALID_DEPTH', 'depth'],
  ['"unspecified"', StartScanRequestSchema, { depth: 'unspecified' }, 'INVALID_DEPTH', 'depth'],
  ['a number for an enum', StartScanRequestSchema, { depth: 2 }, 'INVALID_DEPTH', 'depth'],
  ['a null depth', StartScanRequestSchema, { depth: null }, 'INVALID_DEPTH', 'depth'],
  ['an empty depth', StartScanRequestSchema, { depth: '' }, 'INVALID_DEPTH', 'depth'],
  ['a null url', StartScanRequestSchema, { url: null }, 'INVALID_URL', 'url'],
  ['a url that is a number', StartScanRequestSchema, { url: 1 }, 'INVALID_URL', 'url'],
  ['a url that is a list', StartScanRequestSchema, { url: ['a.com'] }, 'INVALID_URL', 'url'],
  ['a url with a lone surrogate', StartScanRequestSchema, { url: 'a\ud800.com' }, 'INVALID_URL', 'url'],
  ['an unknown field', StartScanRequestSchema, { url: 'a.com', colour: 1 }, 'UNKNOWN_FIELD', 'colour'],
  ['a snake_case name', UpdateOrgRequestSchema, { gate_policy: {} }, 'UNKNOWN_FIELD', 'gate_policy'],
  ['a name of Object.prototype', UpdateOrgRequestSchema, { constructor: 1 }, 'UNKNOWN_FIELD', 'constructor'],
  ['__proto__', UpdateOrgRequestSchema, JSON.parse('{"__proto__":{}}'), 'UNKNOWN_FIELD', '__proto__'],
  ['an unknown field inside', UpdateOrgRequestSchema, { gatePolicy: { a: 1 } }, 'UNKNOWN_FIELD', 'gatePolicy.a'],
  [
    'a wrong word inside',
    UpdateOrgRequestSchema,
    { gatePolicy: { threshold: 'x' } },
    'INVALID_BODY',
    'gatePolicy.threshold',
  ],
  ['null for a message', UpdateOrgRequestSchema, { gatePolicy: null }, 'INVALID_BODY', 'gatePolicy'],
  ['a list for a message', UpdateOrgRequestSchema, { gatePolicy: [] }, 'INVALID_BODY', 'gatePolicy'],
  ['a list at the top', UpdateOrgRequestSchema, [], 'INVALID_BODY', ''],
  ['a string at the top', UpdateOrgRequestSchema, 'x', 'INVALID_BODY', ''],
  ['null at the top', UpdateOrgRequestSchema, null, 'INVALID_BODY', ''],
  ['one value for a list', IssueKeyRequestSchema, { scopes: 'a' }, 'INVALID_BODY', 'scopes'],
  ['a wrong item of a list', IssueKeyRequestSchema, { scopes: ['a', 1] }, 'INVALID_BODY', 'scopes[1]'],
  ['null for a list', IssueKeyRequestSchema, { scopes: null }, 'INVALID_BODY', 'scopes'],
  ['a wrong time', IssueKeyRequestSchema, { expiresAt: 'soon' }, 'INVALID_BODY', 'expiresAt'],
  ['a number as a string', ListScansRequestSchema, { limit: '5' }, 'INVALID_BODY', 'limit'],
  ['a fraction for a whole number', ListScansRequestSchema, { limit: 1.5 }, 'INVALID_BODY', 'limit'],
  ['a number beyond 32 bits', ListScansRequestSchema, { limit: 2 ** 31 }, 'INVALID_BODY', 'limit'],
  [
    'a word for a truth value',
    RecordWriteRequestSchema,
    { write: { request: { method: true } } },
    'INVALID_BODY',
    'write.request.method',
  ],
  ['two of which one may be given', LoginSchema, { bearer: 'a', cookie: 'b' }, 'INVALID_BODY', 'cookie'],
];
for (const [what, desc, json, reason, field] of refused) {
  reading(`refuses ${what}`, () => {
    const [issue, ...others] = read(desc, json).issues;
    assert.is(issue?.reason, reason);
    assert.is(issue?.field, field);
    assert.equal(others, []);
  });
}

reading('names every wrong field at once', () => {
  const { issues } = read(IssueKeyRequestSchema, { kind: 1, name: 2, nam: 'x' });
  assert.equal(
    issues.map(({ field }) => field),
    ['kind', 'name', 'nam'],
  );
});

reading('proposes the name that was probably meant', () => {
  assert.match(read(StartScanRequestSchema, { ulr: 'a' }).issues[0]?.message ?? '', 'did you mean "url"?');
  assert.match(read(StartScanRequestSchema, { dept: 'deep' }).issues[0]?.message ?? '', 'did you mean "depth"?');
  assert.match(
    read(UpdateOrgRequestSchema, { gate_policy: {} }).issues[0]?.message ?? '',
    'did you mean "gatePolicy"?',
  );
  assert.not.match(read(StartScanRequestSchema, { colour: 1 }).issues[0]?.message ?? '', 'did you mean');
});

reading('takes a field that comes by path for unknown', () => {
  const { issues } = read(UpdateOrgRequestSchema, { gatePolicy: {} }, new Set(['gate_policy']));
  assert.is(issues[0]?.reason, 'UNKNOWN_FIELD');
});

reading('reads back what it has written', () => {
  const key = create(KeySchema, {
    keyId: 'abc',
    kind: KeyKind.SERVICE,
    scopes: ['scans:read'],
    createdAt: timestampFromDate(new Date(1_700_000_000_123)),
  });
  const json = toRestJson(KeySchema, key);
  const { issues, message } = read(KeySchema, json);
  assert.equal(issues, []);
  assert.equal(message, key as unknown as Record<string, unknown>);
});

writing.run();
reading.run();
