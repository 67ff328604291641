import { Code, ConnectError } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GatewayRefusal, problemOf } from '../../gateway/errors.ts';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';
import { CheckoutHintSchema, OwnershipRequiredSchema } from '../../proto/gen/scanaudit/v1/errors_pb.ts';

const test = suite('problemOf');

function refusal(code: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const error = new ConnectError('In plain words.', code);
  error.details.push({ desc: ErrorInfoSchema, value: { reason, domain: 'scanaudit', metadata } });
  return error;
}

const table: [reason: string, code: Code, status: number][] = [
  ['INVALID_URL', Code.InvalidArgument, 400],
  ['INVALID_DEPTH', Code.InvalidArgument, 400],
  ['INVALID_PARAMETER', Code.InvalidArgument, 400],
  ['INVALID_BODY', Code.InvalidArgument, 400],
  ['UNKNOWN_FIELD', Code.InvalidArgument, 400],
  ['MISSING_KEY', Code.Unauthenticated, 401],
  ['INVALID_KEY', Code.Unauthenticated, 401],
  ['OUT_OF_CREDIT', Code.FailedPrecondition, 402],
  ['API_ACCESS_NOT_IN_PLAN', Code.PermissionDenied, 403],
  ['DEEP_NOT_ENTITLED', Code.PermissionDenied, 403],
  ['INSUFFICIENT_SCOPE', Code.PermissionDenied, 403],
  ['WRONG_KEY_KIND', Code.PermissionDenied, 403],
  ['DOMAIN_NOT_VERIFIED', Code.PermissionDenied, 403],
  ['NOT_FOUND', Code.NotFound, 404],
  ['SCAN_NOT_COMPLETED', Code.FailedPrecondition, 409],
  ['SCAN_FINISHED', Code.FailedPrecondition, 409],
  ['RUN_NOT_RUNNING', Code.FailedPrecondition, 409],
  ['ALREADY_EXISTS', Code.AlreadyExists, 409],
  ['IDEMPOTENCY_KEY_IN_FLIGHT', Code.Aborted, 409],
  ['IDEMPOTENCY_KEY_REUSED', Code.FailedPrecondition, 422],
  ['RATE_LIMITED', Code.ResourceExhausted, 429],
  ['INTERNAL', Code.Internal, 500],
  ['UNAVAILABLE', Code.Unavailable, 503],
  ['TIMEOUT', Code.DeadlineExceeded, 504],
];
for (const [reason, code, status] of table) {
  test(`answers ${reason} with ${status} as RFC 9457 problem details`, () => {
    const { body, headers, status: answered } = problemOf(refusal(code, reason), 'request-1');
    assert.is(answered, status);
    assert.is(body.status, status);
    assert.is(body.code, reason.toLowerCase());
    assert.is(body.type, `urn:scan-audit:problem:${reason.toLowerCase()}`);
    assert.is(body.requestId, 'request-1');
    assert.type(body.title, 'string');
    assert.is(headers['content-type'], 'application/problem+json');
    assert.is(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
    if (status < 500) assert.is(body.detail, 'In plain words.');
    else assert.not.match(String(body.detail), 'In plain words');
  });
}

test('answers 503 with Retry-After when core cannot be reached', () => {
  const { status, body, headers } = problemOf(new ConnectError('connect ECONNREFUSED', Code.Unavailable), 'r');
  assert.is(status, 503);
  assert.is(body.code, 'unavailable');
  assert.is(headers['retry-after'], '1');
  assert.not.match(JSON.stringify(body), 'ECONNREFUSED');
});

for (const code of [Code.Aborted, Code.Canceled, Code.Internal, Code.Unknown, Code.ResourceExhausted]) {
  test(`takes ${Code[code]} without a reason for a broken connection`, () => {
    assert.is(problemOf(new ConnectError('stream closed', code), 'r').status, 503);
  });
}

test('answers 504 when the deadline passed on the way', () => {
  assert.is(problemOf(new ConnectError('the operation timed out', Code.DeadlineExceeded), 'r').status, 504);
});

test('answers 500 for an RPC or a reason that is not known', () => {
  assert.is(problemOf(new ConnectError('no such method', Code.Unimplemented), 'r').status, 500);
  const { status, body } = problemOf(refusal(Code.InvalidArgument, 'OF_A_LATER_VERSION'), 'r');
  assert.is(status, 500);
  assert.is(body.code, 'internal');
});

test('never passes on what an unexpected error says', () => {
  for (const error of [new TypeError('SELECT * FROM keys'), 'SELECT * FROM keys', undefined, { sql: 'SELECT' }]) {
    const { status, body } = problemOf(error, 'r');
    assert.is(status, 500);
    assert.not.match(JSON.stringify(body), 'SELECT');
  }
});

test('does not believe a reason of another domain', () => {
  const error = new ConnectError('proxy', Code.Unavailable);
  error.details.push({ desc: ErrorInfoSchema, value: { reason: 'NOT_FOUND', domain: 'example.com' } });
  assert.is(problemOf(error, 'r').status, 503);
});

test('lists wrong fields', () => {
  const error = refusal(Code.InvalidArgument, 'INVALID_PARAMETER');
  error.details.push({
    desc: BadRequestSchema,
    value: { fieldViolations: [{ field: 'limit', description: 'must be 1 to 100' }] },
  });
  assert.equal(problemOf(error, 'r').body.errors, [{ field: 'limit', message: 'must be 1 to 100' }]);
});

test('says how to prove a domain', () => {
  const error = refusal(Code.PermissionDenied, 'DOMAIN_NOT_VERIFIED');
  error.details.push({ desc: OwnershipRequiredSchema, value: { domain: 'a.com', methods: ['dns-txt', 'operator'] } });
  const { body } = problemOf(error, 'r');
  assert.is(body.needsOwnership, true);
  assert.equal(body.ownership, { domain: 'a.com', methods: ['dns-txt', 'operator'] });
});

test('says how much credit is missing, and where to buy it when there is a place', () => {
  const error = refusal(Code.FailedPrecondition, 'OUT_OF_CREDIT');
  error.details.push({ desc: CheckoutHintSchema, value: { message: 'Buy.', creditsRequired: 5, creditsAvailable: 0 } });
  const hint = { message: 'Buy.', creditsRequired: 5, creditsAvailable: 0 };
  assert.equal(problemOf(error, 'r').body.checkoutHint, hint);
  error.details[1] = { desc: CheckoutHintSchema, value: { ...hint, url: 'https://buy.example/' } };
  assert.equal(problemOf(error, 'r').body.checkoutHint, { ...hint, url: 'https://buy.example/' });
});

test('passes on the facts that callers need, and no others', () => {
  const known = { requiredScope: 'scans:write', requiredEntitlement: 'deep', scanStatus: 'running' };
  const { body } = problemOf(refusal(Code.PermissionDenied, 'INSUFFICIENT_SCOPE', { ...known, orgId: 'secret' }), 'r');
  for (const [name, value] of Object.entries(known)) assert.is(body[name], value);
  assert.not('orgId' in body);
});

test('rounds the time to wait up to whole seconds, in the header and in the body', () => {
  for (const [seconds, nanos, expected] of [
    [2n, 0, 2],
    [2n, 1, 3],
    [0n, 5_000_000, 1],
    [0n, 0, 1],
  ] as const) {
    const error = refusal(Code.ResourceExhausted, 'RATE_LIMITED');
    error.details.push({ desc: RetryInfoSchema, value: { retryDelay: { seconds, nanos } } });
    const { headers, body } = problemOf(error, 'r');
    assert.is(headers['retry-after'], String(expected));
    assert.is(body['retry-after'], expected);
  }
});

test('always says when to come back after too many requests', () => {
  assert.is(problemOf(refusal(Code.ResourceExhausted, 'RATE_LIMITED'), 'r').headers['retry-after'], '1');
});

test('answers a refusal of the gateway with its own fields and headers', () => {
  const { status, headers, body } = problemOf(
    new GatewayRefusal('METHOD_NOT_ALLOWED', 'Use GET.', {
      headers: { allow: 'GET' },
      errors: [{ field: 'a', message: 'b' }],
    }),
    'r',
  );
  assert.is(status, 405);
  assert.is(headers.allow, 'GET');
  assert.is(body.detail, 'Use GET.');
  assert.equal(body.errors, [{ field: 'a', message: 'b' }]);
});

test.run();
