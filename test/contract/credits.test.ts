import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { CreditService } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { rejectionOf } from '../support/rejection.ts';
import { createOrg, issueServiceKey } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite<World>('GET /api/v1/org/credits', {} as World);
test.before(async (world) => {
  Object.assign(world, await startWorld());
});
test.after((world) => world.close());

const line = (item: unknown) =>
  [fieldOf(item, 'kind'), fieldOf(item, 'available'), fieldOf(item, 'reserved')].join(' ');

for (const way of ways)
  test(`reports every movement and which scan it was for, over ${way}`, async (world) => {
    const org = await createOrg(world, { credits: 10 });
    const done = await complete(world, org);
    const canceled = await start(world, org, 'www.example.com', 'deep');
    await world.rest('ScanService/CancelScan', { runId: canceled }, org);
    const { body } = await world[way]('CreditService/ListCredits', {}, org);
    assert.equal(fieldOf(body, 'credit'), { available: 9, reserved: 0 });
    const items = listOf(body, 'items');
    assert.equal(items.map(line), ['release 5 -5', 'reserve -5 5', 'settle 0 -1', 'reserve -1 1', 'grant 10 0']);
    assert.equal(
      items.slice(0, 4).map((item) => fieldOf(item, 'runId')),
      [canceled, canceled, done, done],
    );
  });

test('is read a page at a time', async (world) => {
  const org = await createOrg(world, { credits: 10 });
  await complete(world, org);
  const first = await world.rest('CreditService/ListCredits', { limit: 2 }, org);
  const cursor = fieldOf(first.body, 'nextCursor');
  const second = await world.rest('CreditService/ListCredits', { limit: 2, cursor }, org);
  const lines = [first, second].flatMap(({ body }) => listOf(body, 'items').map(line));
  assert.equal(lines, ['settle 0 -1', 'reserve -1 1', 'grant 10 0']);
  assertRefused(await world.rest('CreditService/ListCredits', { limit: 0 }, org), 'rest', 'INVALID_PARAMETER');
});

test('shows the day until which granted credit may be spent', async (world) => {
  const org = await createOrg(world, { credits: 0 });
  const key = await issueServiceKey(world, ['credits:grant']);
  const grant = {
    orgId: org.orgId,
    amount: 3,
    reason: 'June',
    idempotencyKey: 'june',
    expiresAt: '2090-01-01T00:00:00.000Z',
  };
  const granted = await world.grpc('CreditService/GrantCredits', grant, { key });
  assert.equal(granted.body, { credit: { available: 3, reserved: 0 } });
  const { body } = await world.rest('CreditService/ListCredits', {}, org);
  assert.equal([fieldOf(body, 'items.0.expiresAt'), fieldOf(body, 'items.0.reason')], [grant.expiresAt, 'June']);
  const past = { ...grant, idempotencyKey: 'past', expiresAt: '2020-01-01T00:00:00Z' };
  assertRefused(await world.grpc('CreditService/GrantCredits', past, { key }), 'grpc', 'INVALID_PARAMETER');
});

test('grants once under a key, and refuses another grant under it', async (world) => {
  const { orgId } = await createOrg(world, { credits: 0 });
  const grant = { orgId, amount: 3, reason: 'June', idempotencyKey: 'june', expiresAt: '2090-01-01T00:00:00.000Z' };
  const give = (more: object = {}) =>
    world.grpc('CreditService/GrantCredits', { ...grant, ...more }, { key: world.operatorKey });
  for (const answer of [await give(), await give(), await give({ reason: 'June, once more' })])
    assert.equal(answer.body, { credit: { available: 3, reserved: 0 } });
  for (const other of [{ amount: 4 }, { expiresAt: '2091-01-01T00:00:00.000Z' }])
    assertRefused(await give(other), 'grpc', 'IDEMPOTENCY_KEY_REUSED');
});

test('refuses times that no calendar has, over gRPC too', async (world) => {
  const { orgId } = await createOrg(world, { credits: 0 });
  const credits = rpcClients({ baseUrl: world.coreUrl, key: world.operatorKey })(CreditService);
  for (const time of [
    { seconds: 10n ** 15n, nanos: 0 },
    { seconds: 253_402_300_800n, nanos: 0 },
    { seconds: 4_000_000_000n, nanos: -1 },
    { seconds: 4_000_000_000n, nanos: 1_000_000_000 },
  ]) {
    const expiresAt = create(TimestampSchema, time);
    const call = credits.grantCredits({ orgId, amount: 1, reason: 'x', idempotencyKey: 'x', expiresAt });
    const error = ConnectError.from(await rejectionOf(call));
    assert.equal(
      [error.code, error.rawMessage],
      [Code.InvalidArgument, 'expiresAt: use a time in the years 1 to 9999. Correct it, then send the request again.'],
    );
  }
});

test.run();
