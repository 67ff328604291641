import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askedWaitMs, lostPauseMs, mayPass, networkCode, readRetryAfter } from '../../cli/api/retry.ts';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { complete } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { further } from '../support/further.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';
import { type Ended, envOf, runCli, startCli, startedRun, workOn } from './support.ts';

const unit = suite('when to send a request again');

const waits: [text: string | null, ms: number | undefined][] = [
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Fri, 02 Jan 2026 00:00:09 GMT', 9_000],
  ['Fri, 02 Jan 2026 00:00:00 GMT', 0],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
];
for (const [text, ms] of waits) {
  unit(`Retry-After "${text}" is ${ms === undefined ? 'no time' : `${ms} ms`}`, () => {
    assert.is(readRetryAfter(text, Date.parse('2026-01-02T00:00:00Z')), ms);
  });
}

unit('429, 503 and a twin in flight ask to wait; nothing else does', () => {
  const answer = (status: number, after?: string) => ({
    status,
    headers: new Headers(after === undefined ? {} : { 'retry-after': after }),
  });
  assert.is(askedWaitMs(answer(429, '3'), 'rate_limited'), 3_000);
  assert.is(askedWaitMs(answer(503, '4'), ''), 4_000);
  assert.is(askedWaitMs(answer(503), ''), 5_000);
  assert.is(askedWaitMs(answer(409, '1'), 'idempotency_key_in_flight'), 1_000);
  for (const status of [400, 401, 403, 404, 409, 500]) assert.is(askedWaitMs(answer(status, '1'), 'other'), undefined);
});

unit('a lost answer is asked for four times more, with longer pauses', () => {
  assert.equal([1, 2, 3, 4, 5].map(lostPauseMs), [1_000, 2_000, 4_000, 8_000, undefined]);
});

unit('a refused connection may pass only where there was an answer before; a bad certificate never', () => {
  assert.not(mayPass('ECONNREFUSED', false));
  assert.ok(mayPass('ECONNREFUSED', true));
  assert.ok(mayPass('ECONNRESET', false));
  for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    assert.not(mayPass(code, true), code);
});

unit('finds the code inside what fetch fails with', () => {
  assert.is(
    networkCode(new TypeError('x', { cause: Object.assign(new Error('y'), { code: 'ENOTFOUND' }) })),
    'ENOTFOUND',
  );
  assert.is(networkCode(new Error('x')), '');
  assert.is(networkCode('x'), '');
});

unit.run();

type Context = World & { org: TestOrg; proxy: LossyProxy };
const test = suite('scan-audit on a lossy way', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.proxy = await startLossyProxy(context.baseUrl);
});
test.before.each(async (context) => {
  context.org = await createOrg(context, { credits: 10 });
  context.proxy.seen.length = 0;
  context.proxy.faults.length = 0;
});
test.after(async (context) => {
  await context.proxy.close();
  await context.close();
});

const envHere = ({ proxy, org }: Context) => envOf(proxy.baseUrl, org.key);
const ask = (context: Context, args: string[]): Promise<Ended> => runCli(args, { env: envHere(context) });

async function spent({ org, ...world }: Context): Promise<{ scans: number; credits: unknown }> {
  const listed = await world.rest('ScanService/ListScans', {}, { key: org.key });
  const orgRecord = await world.rest('OrgService/GetOrg', {}, { key: org.key });
  return { scans: listOf(listed.body, 'items').length, credits: fieldOf(orgRecord.body, 'credit.available') };
}

const limited = (seconds: number) =>
  ({
    kind: 'answer',
    status: 429,
    headers: { 'retry-after': String(seconds), 'content-type': 'application/problem+json' },
    body: JSON.stringify({ title: 'Too many requests', detail: 'Slow down.', code: 'rate_limited', status: 429 }),
  }) as const;

further(test)('waits as long as 429 and 503 say, then goes on', async (context) => {
  const runId = await complete(context, context.org);
  context.proxy.faults.push(limited(2), { kind: 'answer', status: 503, headers: { 'retry-after': '1' } });
  const { code, stderr } = await ask(context, ['gate', '--run', runId]);
  assert.is(code, 0, stderr);
  const [first, second, third] = context.proxy.seen.map(({ atMs }) => atMs);
  const between = (from = 0, to = 0) => (to - from) / 1_000;
  assert.ok(between(first, second) >= 1.99 && between(first, second) < 4, `${between(first, second)} s`);
  assert.ok(between(second, third) >= 0.99 && between(second, third) < 3, `${between(second, third)} s`);
  assert.match(stderr, 'Trying again in 2 s.');
});

further(test)('ends with 1 at once when it would have to wait longer than it may', async (context) => {
  context.proxy.faults.push(limited(3_600));
  const startedAtMs = performance.now();
  const { code, stderr } = await ask(context, ['gate', 'example.com', '--timeout', '30']);
  assert.is(code, 1);
  assert.match(stderr, 'again in 3600 s, and that is after the time is up');
  assert.ok(performance.now() - startedAtMs < 15_000);
  assert.is((await spent(context)).scans, 0);
});

test('a start whose answer was lost is sent again, and costs once', async (context) => {
  context.proxy.faults.push({ kind: 'lose-answer' }, { kind: 'answer', status: 502 }, { kind: 'lose-answer' });
  const running = startCli(['gate', 'example.com'], { env: envHere(context) });
  await workOn(context, await startedRun(running));
  assert.is((await running.ended).code, 0);
  const starts = context.proxy.seen.filter(({ method }) => method === 'POST');
  assert.is(starts.length, 4);
  assert.is(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
  assert.match(starts[0]?.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(await spent(context), { scans: 1, credits: 9 });
});

further(test)('two starts are two scans', async (context) => {
  const start = async () => {
    const running = startCli(['gate', 'example.com'], { env: envHere(context) });
    await workOn(context, await startedRun(running));
    assert.is((await running.ended).code, 0);
  };
  await start();
  await start();
  assert.is((await spent(context)).scans, 2);
});

further(test)('an answer that is lost while it waits is asked for again', async (context) => {
  const runId = await complete(context, context.org);
  context.proxy.faults.push({ kind: 'lose-answer' });
  assert.is((await ask(context, ['gate', '--run', runId])).code, 0);
});

test('a refusal is final: nothing is sent twice', async (context) => {
  assert.is((await ask(context, ['gate', 'other.example'])).code, 1);
  assert.is(context.proxy.seen.length, 1);
  context.proxy.faults.push({ kind: 'answer', status: 500 });
  const { code, stderr } = await ask(context, ['scans', 'list']);
  assert.is(code, 1);
  assert.match(stderr, 'answered 500, and not as this API does');
  assert.is(context.proxy.seen.length, 2);
});

further(test)('what is not this API is said to be so', async (context) => {
  const answers: [status: number, headers: Record<string, string>, body: string, about: string | RegExp][] = [
    [404, { 'content-type': 'text/html' }, '<h1>Not found</h1>', 'answered 404, and not as this API does: check'],
    [200, { 'content-type': 'text/html' }, '<h1>Hello</h1>', "in a form that is not this API's"],
    [200, { 'content-type': 'application/json' }, '{"items":[{}]}', "in a form that is not this API's"],
    [302, { location: 'https://login.example/' }, '', 'redirect to https://login.example/: give the API'],
  ];
  for (const [status, headers, body, about] of answers) {
    context.proxy.faults.push({ kind: 'answer', status, headers, body });
    const { code, stdout, stderr } = await ask(context, ['scans', 'list']);
    assert.is(code, 1);
    assert.is(stdout, '');
    assert.match(stderr, about);
  }
});

test('an address where nothing answers is reported at once', async ({ org }) => {
  const unused = await startLossyProxy('');
  await unused.close();
  const startedAtMs = performance.now();
  const { code, stderr } = await runCli(['gate', 'example.com'], { env: envOf(unused.baseUrl, org.key) });
  assert.is(code, 1);
  assert.match(stderr, /^error: Nothing answers at http:\/\/127\.0\.0\.1:\d+: check the address/);
  assert.ok(performance.now() - startedAtMs < 10_000);
});

test('the key goes nowhere but to the API, and shows nowhere', async (context) => {
  const { code, stdout, stderr } = await ask(context, ['scans', 'list', '--json']);
  assert.is(code, 0);
  assert.not.match(stdout + stderr, context.org.key);
});

test.run();
