import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DocumentFault } from '../../../kit/documents/draft.ts';
import { createReader } from '../../../kit/documents/read-aside.ts';
import { further } from '../../support/further.ts';

const test = suite('reading a document aside');
const read = createReader();
const never = new AbortController().signal;
const small = '{"openapi":"3.0.0","paths":{"/orders":{"get":{}}}}';

test('answers what the document says, or what is wrong with it', async () => {
  const { format, requests } = await read(small, never);
  assert.equal([format, requests.length], ['openapi', 1]);
  const fault = await read('[]', never).catch((error: unknown) => error);
  assert.instance(fault, DocumentFault);
});

further(test)('keeps the program free for others meanwhile', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `  /p${index}:\n    get: {}\n`);
  let ticks = 0;
  const clock = setInterval(() => ticks++, 5);
  const reading = read(`openapi: 3.0.0\npaths:\n${lines.join('')}`, never).catch((error: unknown) => error);
  await reading;
  clearInterval(clock);
  assert.ok(ticks > 5, `${ticks} ticks`);
});

const slow = `openapi: 3.0.0\nx: [${'1, '.repeat(200_000)}1]\npaths: {}`;

test('ends with its call', async () => {
  const call = new AbortController();
  const reading = read(slow, call.signal);
  await sleep(20);
  call.abort(new Error('gone'));
  const error = await reading.catch((failure: unknown) => failure);
  assert.is(error instanceof Error && error.message, 'gone');
  assert.is((await read(small, never)).requests.length, 1, 'the next one is read');
});

for (const [limits, reason] of [
  [{ maxHeapMb: 8 }, 'too much memory'],
  [{ timeoutMs: 20 }, 'too long'],
] as const) {
  test(`a document that takes ${reason} is refused, and the program lives`, async () => {
    const error = await createReader(limits)(slow, never).catch((failure: unknown) => failure);
    assert.instance(error, DocumentFault);
    assert.match((error as Error).message, reason);
  });
}

test.run();
