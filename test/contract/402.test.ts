import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, grant } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { begin, finish, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { checkoutUrl, startWorld, type World, ways } from './support/world.ts';

const test = suite('402', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

for (const way of firstRows(ways, 1)) {
  test(`${way}: says how much credit is missing and where to buy it`, async (world) => {
    const { key } = await createOrg(world, { credits: 0 });
    const outcome = await world[way]('ScanService/StartScan', { url: 'example.com' }, { key });
    assertRefused(outcome, way, 'OUT_OF_CREDIT');
    const { message, ...hint } = fieldOf(outcome.body, 'checkoutHint') as Record<string, unknown>;
    assert.equal(hint, { creditsRequired: 1, creditsAvailable: 0, url: checkoutUrl });
    assert.ok(message);
  });

  test(`${way}: refuses a deep scan that costs more than is left, but not a standard one`, async (world) => {
    const { key } = await createOrg(world, { credits: 4 });
    const deep = await world[way]('ScanService/StartScan', { url: 'example.com', depth: 'deep' }, { key });
    assertRefused(deep, way, 'OUT_OF_CREDIT');
    assert.is(fieldOf(deep.body, 'checkoutHint.creditsRequired'), 5);
    assert.is(fieldOf(deep.body, 'checkoutHint.creditsAvailable'), 4);
    assert.is((await world[way]('ScanService/StartScan', { url: 'example.com' }, { key })).reason, 'OK');
  });

  test(`${way}: accepts exactly as many concurrent starts as there is credit`, async (world) => {
    const { key } = await createOrg(world, { credits: 7 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => world[way]('ScanService/StartScan', { url: 'example.com' }, { key })),
    );
    assert.is(outcomes.filter(({ reason }) => reason === 'OK').length, 7);
    assert.is(outcomes.filter(({ reason }) => reason === 'OUT_OF_CREDIT').length, 13);
    const { body } = await world[way]('ScanService/ListScans', { limit: 100 }, { key });
    assert.is(listOf(body, 'items').length, 7);
  });
}

test('leaves no scan behind, and reading free of charge', async (world) => {
  const { key } = await createOrg(world, { credits: 0 });
  await world.rest('ScanService/StartScan', { url: 'example.com' }, { key });
  const { status, body } = await world.rest('ScanService/ListScans', {}, { key });
  assert.is(status, 200);
  assert.equal(listOf(body, 'items'), []);
});

test('ends when credit is granted, and when a scan that failed gives its own back', async (world) => {
  const org = await createOrg(world, { credits: 0 });
  await grant(world, org.orgId, 1);
  const runId = await start(world, org);
  const ask = () => world.rest('ScanService/StartScan', { url: 'example.com' }, { key: org.key });
  assertRefused(await ask(), 'rest', 'OUT_OF_CREDIT');
  await begin(world, runId);
  await finish(world, runId, 'failed', { code: 'unreachable', detail: '' });
  assert.is((await ask()).status, 201);
});

test('grants once for one idempotency key', async (world) => {
  const { orgId, key } = await createOrg(world, { credits: 0 });
  const request = { orgId, amount: 3, reason: 'twice', idempotencyKey: 'same' };
  await world.operate('CreditService/GrantCredits', request);
  await world.operate('CreditService/GrantCredits', request);
  assert.equal(fieldOf((await world.rest('OrgService/GetOrg', {}, { key })).body, 'credit'), {
    available: 3,
    reserved: 0,
  });
});

test.run();
