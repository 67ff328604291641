import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
  test(`tells every movement and which scan it was for, over ${way}`, async (world) => {
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

test.run();
