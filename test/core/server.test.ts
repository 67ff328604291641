import { Writable } from 'node:stream';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { DriverException } from '@mikro-orm/core';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keyService } from '../../core/keys/service.ts';
import { orgService } from '../../core/orgs/service.ts';
import { service } from '../../core/services.ts';
import { AccessService } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { newOrg, refused, startCore, type TestCore } from './support.ts';

let core: TestCore;
let key: string;
const lines: Record<string, unknown>[] = [];
const write = (chunk: unknown, _encoding: string, done: () => void) => {
  lines.push(JSON.parse(String(chunk)));
  done();
};
const log = pino({ level: 'info' }, new Writable({ write }));

const driverError = (code: string) => new DriverException(Object.assign(new Error('canary: SQL'), { code }));

/** What may go wrong in a handler without any rule having said so. */
const failures: Record<string, Error> = {
  bug: new TypeError('canary: cannot read properties of undefined'),
  sql: driverError('42601'),
  down: Object.assign(new Error('canary: connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
  restarting: driverError('57P01'),
  slow: driverError('57014'),
  deadline: new ConnectError('the operation timed out', Code.DeadlineExceeded),
};
const failing = service(AccessService, {
  check: ({ method }) => {
    if (failures[method]) throw failures[method];
    return {};
  },
});

const test = suite('server');
test.before(async () => {
  const services = [failing, service(OrgService, orgService), service(KeyService, keyService)];
  core = await startCore({ log, services });
  ({ key } = await newOrg(core));
});
test.after(() => core.close());

const fail = async (how: string, requestId = '') => {
  lines.length = 0;
  return refused(
    core
      .as(key)(AccessService)
      .check({ method: how }, { headers: { 'x-request-id': requestId } }),
  );
};

for (const how of ['bug', 'sql'])
  test(`an unexpected error (${how}) reaches the caller as its request id, and the log with its stack`, async () => {
    const error = await fail(how);
    assert.is(error.reason, 'INTERNAL');
    const requestId = error.metadata.get('x-request-id');
    assert.ok(requestId);
    assert.not.match(`${error.message} ${JSON.stringify([...error.metadata])}`, 'canary');
    const logged = lines.find((line) => line.level === 50);
    assert.is(logged?.requestId, requestId);
    assert.match(JSON.stringify(logged?.err), /canary.*server\.test\.ts/s);
  });

for (const how of ['down', 'restarting'])
  test(`PostgreSQL that cannot be used (${how}) is "unavailable", with a time to come back`, async () => {
    const error = await fail(how);
    assert.equal([error.reason, error.code, error.retryMs], ['UNAVAILABLE', Code.Unavailable, 1_000]);
    assert.not.match(error.message, 'canary');
  });

for (const how of ['slow', 'deadline'])
  test(`what takes too long (${how}) is a timeout`, async () => {
    const error = await fail(how);
    assert.equal([error.reason, error.code], ['TIMEOUT', Code.DeadlineExceeded]);
  });

test('a request id that was given is kept, one that could forge log lines is not', async () => {
  assert.is((await fail('bug', 'gateway-17.a_b')).metadata.get('x-request-id'), 'gateway-17.a_b');
  for (const bad of ['a b', 'x'.repeat(65), '{"level":60}']) {
    const { metadata } = await fail('bug', bad);
    assert.match(metadata.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

test('the log holds no key', async () => {
  lines.length = 0;
  await core.as(key)(OrgService).getOrg({});
  await refused(core.as(`${key}x`)(OrgService).getOrg({}));
  await refused(core.as(key)(OrgService).createOrg({ name: 'x', plan: 'team' }));
  assert.ok(lines.length > 0);
  assert.not.match(JSON.stringify(lines), key.slice(12, 44));
});

test('gRPC, gRPC-Web and Connect give the same answers', async () => {
  const options = { baseUrl: core.baseUrl, httpVersion: '2' as const };
  const transports: Transport[] = [
    createGrpcTransport({ baseUrl: core.baseUrl }),
    createGrpcWebTransport(options),
    createConnectTransport(options),
  ];
  for (const transport of transports) {
    const client = createClient(OrgService, transport);
    const headers = { authorization: `Bearer ${key}` };
    assert.is((await client.getOrg({}, { headers })).plan, 'test');
    const error = await refused(client.getOrg({}));
    assert.equal([error.reason, error.code], ['MISSING_KEY', Code.Unauthenticated]);
    assert.ok(error.metadata.get('x-request-id'));
  }
});

test('calls are counted by RPC and how they ended', async () => {
  const { Registry } = await import('prom-client');
  const registry = new Registry();
  core.program.registerMetrics(registry);
  await fail('bug');
  assert.match(await registry.metrics(), /_count\{rpc="scanaudit.v1.AccessService\/Check",code="Internal"\} [1-9]/);
});

test.run();
