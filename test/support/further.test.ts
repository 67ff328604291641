import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { furtherVariable, usualRows } from './further.ts';

const test = suite('tests that only long runs have');
const module = join(import.meta.dirname, 'further.ts');

/** @returns names of the rows and tests of a file that has two of each, one of them further */
async function run(env: Record<string, string>): Promise<string[]> {
  const script = `
    const { firstOfKinds, further, usualRows } = await import(${JSON.stringify(module)});
    const named = (name) => console.log(name);
    for (const [name] of usualRows({ usual: 1, alike: 2 }, ['usual'])) named(name);
    for (const [name] of firstOfKinds([['found', 1], ['found too', 1], ['clean', 0]], ([, kind]) => kind, 1)) named(name);
    named('a test');
    further(named)('a further test');`;
  const { [furtherVariable]: _, ...own } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...own, ...env },
  });
  return stdout.trim().split('\n');
}

test('are left out of other runs, with the rows that are like another one', async () => {
  assert.equal(await run({}), ['usual', 'found', 'clean', 'a test']);
  assert.equal(await run({ [furtherVariable]: 'all' }), [
    'usual',
    'alike',
    'found',
    'found too',
    'clean',
    'a test',
    'a further test',
  ]);
});

test('cannot leave out a row that no table has', () => {
  assert.throws(() => usualRows({ one: 1 }, ['two']), 'no row two');
});

test.run();
