import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GatewayRefusal } from '../../gateway/errors.ts';
import { Issues } from '../../gateway/issues.ts';
import { readQuery } from '../../gateway/query.ts';
import { Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { Depth, ListFindingsRequestSchema, ListScansRequestSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';

const test = suite('readQuery');

function readScans(query: string) {
  const message = reflect(ListScansRequestSchema, create(ListScansRequestSchema));
  const issues = new Issues();
  readQuery(message, `/api/v1/scans${query}`, ListScansRequestSchema.fields, issues);
  return { issues: issues.first, message: message.message as ReturnType<typeof create<typeof ListScansRequestSchema>> };
}

test('reads numbers, words, text and times', () => {
  const { issues, message } = readScans(
    '?limit=5&depth=deep&host=a%2Eb+c&createdAfter=2026-01-31T13:00:00%2B01:00&cursor=',
  );
  assert.equal(issues, []);
  assert.is(message.limit, 5);
  assert.is(message.depth, Depth.DEEP);
  assert.is(message.host, 'a.b c');
  assert.is(message.createdAfter?.seconds, 1769860800n);
});

test('reads no parameters from no query and from an empty one', () => {
  for (const query of ['', '?', '?&', '?&&']) assert.equal(readScans(query).issues, []);
  assert.is(readScans('').message.limit, undefined);
});

test('reads a repeatable parameter as often as it is given', () => {
  const message = reflect(ListFindingsRequestSchema, create(ListFindingsRequestSchema));
  const issues = new Issues();
  readQuery(message, '/x?severity=high&severity=low', ListFindingsRequestSchema.fields, issues);
  assert.equal(issues.first, []);
  const { severity } = message.message as ReturnType<typeof create<typeof ListFindingsRequestSchema>>;
  assert.equal(severity, [Severity.HIGH, Severity.LOW]);
});

const refused: [query: string, field: string, message: RegExp][] = [
  ['?limt=5', 'limt', /did you mean "limit"/],
  ['?created_after=x', 'created_after', /did you mean "createdAfter"/],
  ['?colour=1', 'colour', /is not known here$/],
  ['?=1', '', /not known/],
  ['?limit=5&limit=6', 'limit', /more than once/],
  ['?limit=', 'limit', /whole number/],
  ['?limit=5.0', 'limit', /whole number/],
  ['?limit=1e2', 'limit', /whole number/],
  ['?limit=0x10', 'limit', /whole number/],
  ['?limit=+5', 'limit', /whole number/],
  ['?limit=99999999999', 'limit', /whole number/],
  ['?limit=2147483648', 'limit', /whole number/],
  ['?depth=DEEP', 'depth', /one of standard, deep/],
  ['?depth=2', 'depth', /one of standard, deep/],
  ['?depth=DEPTH_DEEP', 'depth', /one of standard, deep/],
  ['?depth=unspecified', 'depth', /one of standard, deep/],
  ['?depth=', 'depth', /one of standard, deep/],
  ['?status=done', 'status', /queued, running, completed, failed, canceled/],
  ['?createdAfter=yesterday', 'createdAfter', /RFC 3339/],
  ['?createdAfter=2026-02-30T00:00:00Z', 'createdAfter', /RFC 3339/],
];
for (const [query, field, message] of refused) {
  test(`refuses ${query}`, () => {
    const [issue] = readScans(query).issues;
    assert.is(issue?.reason, 'INVALID_PARAMETER');
    assert.is(issue?.field, field);
    assert.match(issue?.message ?? '', message);
  });
}

for (const query of ['?host=%zz', '?host=%ff', '?%c3=1']) {
  test(`refuses ${query}, which is not percent-encoded UTF-8`, () => {
    assert.throws(
      () => readScans(query),
      (error: unknown) => error instanceof GatewayRefusal && error.reason === 'INVALID_PARAMETER',
    );
  });
}

test('takes leading minus signs, so that core can say what the bounds are', () => {
  assert.is(readScans('?limit=-1').message.limit, -1);
  assert.is(readScans('?limit=0').message.limit, 0);
});

test.run();
