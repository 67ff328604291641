import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OrgService, PlanSchema } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { isRefused, newOrg, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('plans');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

const custom = (more: object = {}) => ({
  plan: {
    ...{ name: 'custom', apiAccess: true, deep: false, requestsPerMinute: 60, startsPerMinute: 2, retentionDays: 7 },
    ...more,
  },
});

test('that an operator makes or changes act on the next request of their orgs', async () => {
  const { operator } = core;
  await operator(OrgService).putPlan(custom());
  const { key } = await newOrg(core, { plan: 'custom' });
  const org = await core.as(key)(OrgService).getOrg({});
  assert.equal([org.limits?.requestsPerMinute, org.limits?.startsPerMinute, org.entitlements?.deep], [60, 2, false]);
  await operator(OrgService).putPlan(custom({ deep: true }));
  assert.is((await core.as(key)(OrgService).getOrg({})).entitlements?.deep, true);
  await operator(OrgService).putPlan(custom({ apiAccess: false }));
  await isRefused(core.as(key)(OrgService).getOrg({}), 'API_ACCESS_NOT_IN_PLAN');
});

test('are listed by name, with what they give', async () => {
  const { items } = await core.operator(OrgService).listPlans({});
  assert.equal(
    items.map(({ name }) => name),
    items.map(({ name }) => name).toSorted(),
  );
  const free = items.find(({ name }) => name === 'free') ?? create(PlanSchema);
  assert.equal([free.apiAccess, free.retentionDays], [false, 30]);
});

test('that make no sense are refused', async () => {
  for (const wrong of [
    { name: 'No Name' },
    { name: '' },
    { requestsPerMinute: 0 },
    { startsPerMinute: -1 },
    { retentionDays: 0 },
  ])
    await isRefused(core.operator(OrgService).putPlan(custom(wrong)), 'INVALID_PARAMETER');
  await isRefused(core.operator(OrgService).putPlan({}), 'INVALID_PARAMETER');
});

test('are an operator’s to change', async () => {
  const { key } = await newOrg(core);
  await isRefused(
    core
      .as(key)(OrgService)
      .putPlan(custom({ deep: true })),
    'WRONG_KEY_KIND',
  );
  await isRefused(core.as(key)(OrgService).listPlans({}), 'WRONG_KEY_KIND');
});

test.run();
