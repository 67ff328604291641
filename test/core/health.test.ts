import { Code, ConnectError } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from '../../core/build.ts';
import { newKey } from '../../core/keys/format.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../proto/gen/health/v1/health_pb.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { testTemporal } from '../support/servers.ts';
import { refused, silent, startCore } from './support.ts';

const test = suite('health');

const org = 'scanaudit.v1.OrgService';

test('with PostgreSQL and Temporal everything serves', async () => {
  const { address } = await testTemporal();
  const core = await startCore({ temporalAddress: address });
  try {
    const health = core.as()(Health);
    assert.is((await health.check({})).status, Status.SERVING);
    assert.is((await health.check({ service: org })).status, Status.SERVING);
    assert.equal(await core.program.missing(), {});
    const { statuses } = await health.list({});
    assert.is(statuses['']?.status, Status.SERVING);
    assert.is(statuses[org]?.status, Status.SERVING);
  } finally {
    await core.close();
  }
});

test('without Temporal the whole is not ready, but services take calls', async () => {
  const core = await startCore();
  try {
    const health = core.as()(Health);
    assert.is((await health.check({})).status, Status.NOT_SERVING);
    assert.is((await health.check({ service: org })).status, Status.SERVING);
    assert.equal(Object.keys(await core.program.missing()), ['temporal']);
  } finally {
    await core.close();
  }
});

test('without PostgreSQL nothing serves, and calls are asked to come back', async () => {
  const program = build({
    databaseUrl: 'postgres://app:app@127.0.0.1:9/none',
    temporal: { address: '127.0.0.1:9', namespace: 'default', taskQueuePrefix: 'test' },
    encryptionKeys: [{ id: 'test', key: new Uint8Array(32) }],
    log: silent,
  });
  const port = await program.listen('127.0.0.1', 0);
  try {
    const client = rpcClients({ baseUrl: `http://127.0.0.1:${port}`, key: newKey().text });
    assert.is((await client(Health).check({ service: org })).status, Status.NOT_SERVING);
    assert.match((await program.missing()).postgresql ?? '', 'ECONNREFUSED');
    const error = await refused(client(OrgService).getOrg({}));
    assert.equal([error.reason, error.retryMs], ['UNAVAILABLE', 1_000]);
  } finally {
    await program.close();
  }
});

test('an unknown service is not found, and a watch says so and goes on', async () => {
  const core = await startCore();
  try {
    const health = core.as()(Health);
    const error = await health.check({ service: 'nonsense' }).catch((failure: unknown) => failure);
    assert.is(ConnectError.from(error).code, Code.NotFound);
    for await (const { status } of health.watch({ service: 'nonsense' })) {
      assert.is(status, Status.SERVICE_UNKNOWN);
      break;
    }
    for await (const { status } of health.watch({ service: org })) {
      assert.is(status, Status.SERVING);
      break;
    }
  } finally {
    await core.close();
  }
});

test('a watch without an end does not keep the server from closing', async () => {
  const core = await startCore();
  const watch = core.as()(Health).watch({ service: org })[Symbol.asyncIterator]();
  assert.is((await watch.next()).value?.status, Status.SERVING);
  const startedAt = performance.now();
  const ended = watch.next().catch(() => ({ done: true }));
  await core.close();
  await ended;
  assert.ok(performance.now() - startedAt < 8_000);
});

test.run();
