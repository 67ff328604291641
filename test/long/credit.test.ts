import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build as buildGateway } from '../../gateway/app.ts';
import { createLogger } from '../../kit/logger.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { createOrg } from '../contract/support/orgs.ts';
import { askRest } from '../contract/support/rest.ts';
import { fieldOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';

type Context = World & { second: ReturnType<typeof askRest>; closeSecond: () => Promise<void> };
const test = suite('credit under many starts at once', {} as Context);

test.before(async (context) => {
  Object.assign(context, await startWorld());
  const gateway = await buildGateway({
    clients: rpcClients({ baseUrl: context.coreUrl, timeoutMs: 120_000 }),
    logger: createLogger('test', 'silent'),
    trustedProxies: [],
    maxFailedKeysPerMinute: 10_000,
  });
  context.second = askRest(await gateway.app.listen({ host: '127.0.0.1', port: 0 }));
  context.closeSecond = () => gateway.drain();
});
test.after(async (context) => {
  await context.closeSecond();
  await context.close();
});

/** Runs `work` for 0 … count-1, at most `width` at a time. */
async function inParallel<T>(count: number, width: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runNext = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: width }, runNext));
  return results;
}

test('1,000 starts on 100 credits are 100 scans and 900 refusals', async (context) => {
  const perMinute = 100_000;
  const plan = {
    ...{ name: 'rush', apiAccess: true, deep: true, retentionDays: 30 },
    ...{ requestsPerMinute: perMinute, startsPerMinute: perMinute, orgRequestsPerMinute: perMinute },
  };
  await context.operate('OrgService/PutPlan', { plan });
  const org = await createOrg(context, { credits: 100, plan: plan.name });
  const outcomes = await inParallel(1_000, 100, (index) => {
    const ask = index % 2 === 0 ? context.rest : context.second;
    return ask('ScanService/StartScan', { url: `h${index}.example.com` }, { key: org.key });
  });
  const count = (status: number) => outcomes.filter((outcome) => outcome.status === status).length;
  assert.equal([count(201), count(402)], [100, 900]);
  const { body } = await context.rest('OrgService/GetOrg', {}, { key: org.key });
  assert.equal(fieldOf(body, 'credit'), { available: 0, reserved: 100 });
});

test('500 starts with one idempotency key over two gateways are one scan, with one answer', async (context) => {
  const org = await createOrg(context, { credits: 10 });
  const headers = { 'idempotency-key': 'deploy-42' };
  const start = async (index: number): Promise<string> => {
    const ask = index % 2 === 0 ? context.rest : context.second;
    const outcome = await ask('ScanService/StartScan', { url: 'example.com' }, { key: org.key, headers });
    return outcome.status === 409 ? start(index) : `${outcome.status} ${outcome.text}`;
  };
  const answers = await inParallel(500, 50, start);
  assert.is(new Set(answers).size, 1);
  assert.match(answers[0] ?? '', /^201 /);
  const { body } = await context.rest('OrgService/GetOrg', {}, { key: org.key });
  assert.equal(fieldOf(body, 'credit'), { available: 9, reserved: 1 });
});

test.run();
