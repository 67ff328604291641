import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccessService } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { firstRows, further } from '../support/further.ts';
import { type GatewayUnderTest, startGateway } from './support.ts';

const mebibyte = 1024 * 1024;
const bytes = 12 * mebibyte;

let it: GatewayUnderTest;
let put: { name: string; content: string }[] = [];
const test = suite('long bodies');
test.before(async () => {
  it = await startGateway((router) => {
    router.service(AccessService, { check: () => ({}) });
    router.service(DomainService, {
      putScope: ({ scope }) => {
        put = (scope?.documents ?? []).map(({ name, content }) => ({ name, content }));
        return {};
      },
    });
  });
});
test.after(() => it.close());

const putScope = (body: string, key = 'a') =>
  fetch(`${it.baseUrl}/api/v1/domains/example.com/scope`, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  });

const document = (content: string) => JSON.stringify({ documents: [{ name: 'a', content }] });

/** Each is as long as a body may be. */
const hostile: [what: string, body: () => string, says: RegExp][] = [
  ['a list of numbers where objects belong', () => `{"documents":[${'1,'.repeat(bytes / 2 - 10)}1]}`, /50000 values/],
  ['a list of empty objects', () => `{"documents":[${'{},'.repeat(bytes / 3 - 10)}{}]}`, /50000 values/],
  ['lists that are only opened', () => '['.repeat(bytes), /64 levels/],
  ['lists within each other', () => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2), /64 levels/],
  ['objects within each other', () => `${'{"a":'.repeat(bytes / 7)}1${'}'.repeat(bytes / 7)}`, /64 levels/],
  ['one name, unknown', () => `{"${'d'.repeat(bytes - 10)}":1}`, /is not known here/],
  ['one number', () => `{"requestsPerSecond":${'9'.repeat(bytes - 30)}}`, /must be a whole number/],
  ['a string without an end', () => `{"documents":"${'\\"'.repeat(bytes / 2 - 10)}`, /not valid JSON/],
  ['a string of escapes', () => `{"documents":"${'\\\\'.repeat(bytes / 2 - 10)}"}`, /must be a list/],
];
for (const [what, body, says] of firstRows(hostile, 1)) {
  test(`${what}: 400 within a second of the gateway's time, and others are served meanwhile`, async () => {
    const text = body();
    const before = process.threadCpuUsage();
    const answer = await putScope(text);
    const { user, system } = process.threadCpuUsage(before);
    const { status, detail } = { status: answer.status, ...((await answer.json()) as { detail: string }) };
    assert.is(status, 400);
    assert.match(detail, says);
    assert.ok(detail.length < 5_000, `${detail.length} characters`);
    // The client's part is in it.
    assert.ok(user + system < 1_000_000, `${user + system} µs of the main thread`);
  });
}

further(test)('a string of 7 MiB with escapes comes through as it is', async () => {
  const content = '"\n\\é'.repeat((7 * mebibyte) / 5);
  assert.is((await putScope(document(content))).status, 200);
  assert.ok(put[0]?.content === content);
});

further(test)('one that is wrong in many places names the first ones and counts the others', async () => {
  const padding = JSON.stringify('x'.repeat(100_000));
  const answer = await putScope(`{"documents":[${'1,'.repeat(40_000)}1],"excludedPaths":[${padding}]}`);
  const { detail, errors } = (await answer.json()) as { detail: string; errors: unknown[] };
  assert.is(errors.length, 20);
  assert.match(detail, /and 39981 more\. Correct this, then send the request again\.$/);
});

further(test)('a third one of a key at once is asked to come back; one of another key is read', async () => {
  const slow = Array.from({ length: 2 }, () => {
    const abort = new AbortController();
    let pulled = 0;
    // Begins, and then sends nothing: its slot stays taken.
    const body = new ReadableStream({
      pull: (controller) => (pulled++ === 0 ? controller.enqueue(new Uint8Array(10)) : new Promise<void>(() => {})),
    });
    const request = fetch(`${it.baseUrl}/api/v1/domains/example.com/scope`, {
      method: 'PUT',
      body,
      duplex: 'half',
      signal: abort.signal,
      headers: { 'content-type': 'application/json', authorization: 'Bearer slow' },
    } as RequestInit).catch(() => undefined);
    return { abort, request };
  });
  await until(async () => (await putScope(document('x'.repeat(100_000)), 'slow')).status === 429);
  assert.is((await putScope(document('x'.repeat(100_000)), 'other')).status, 200);
  for (const { abort } of slow) abort.abort();
  await Promise.all(slow.map(({ request }) => request));
  await until(async () => (await putScope(document('x'.repeat(100_000)), 'slow')).status === 200);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) if (Date.now() > deadline) throw new Error('it never came to be');
}

test.run();
