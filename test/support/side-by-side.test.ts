import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runFile } from '../runner/run-file.ts';
import { sideBySide } from './side-by-side.ts';

const test = suite('tests side by side');
const together = sideBySide(test, 2);
const started: string[] = [];
const met = Promise.withResolvers<void>();

together('run at the same time: one waits', async () => {
  started.push('one');
  await met.promise;
});

together('run at the same time: the other lets it go on', async () => {
  assert.equal(started, ['one']);
  met.resolve();
});

test('each fail by itself, and the others pass', async () => {
  const { passed, failed, output } = await runFile({
    file: join(import.meta.dirname, '../runner/planted/side-by-side.ts'),
    env: process.env,
    timeoutMs: 30_000,
  });
  assert.equal({ passed, failed }, { passed: 2, failed: 1 });
  assert.match(output, 'fails early');
});

test.run();
