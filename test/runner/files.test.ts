import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTests, processesOf, type TestFile } from './files.ts';

const project = join(import.meta.dirname, '../..');
const Processes = suite('processes of test files');

const shared = (path: string): TestFile => ({ path, serial: false, shared: true });
const own = (path: string): TestFile => ({ path, serial: false, shared: false });

Processes('begin with those of one file, and deal the others to even batches of one part', () => {
  const checks = Array.from({ length: 9 }, (_, index) => shared(`test/workflows/${index}.test.ts`));
  const processes = processesOf([shared('test/core/a.test.ts'), own('test/cli/b.test.ts'), ...checks]);
  assert.equal(
    processes.map((files) => files.map(({ path }) => path.split('/').slice(1).join('/'))),
    [
      ['cli/b.test.ts'],
      [
        'workflows/0.test.ts',
        'workflows/2.test.ts',
        'workflows/4.test.ts',
        'workflows/6.test.ts',
        'workflows/8.test.ts',
      ],
      ['workflows/1.test.ts', 'workflows/3.test.ts', 'workflows/5.test.ts', 'workflows/7.test.ts'],
      ['core/a.test.ts'],
    ],
  );
});

Processes('have every test file of the project, once', async () => {
  const files = await findTests(project, false, []);
  const paths = processesOf(files).flat();
  assert.is(paths.length, files.length);
  assert.is(new Set(paths.map(({ path }) => path)).size, files.length);
});

Processes('are not shared by what must not run beside others, has a browser, or is long', async () => {
  const files = await findTests(project, false, ['test/contract/429', 'client/dom-xss', 'dev/start']);
  assert.ok(files.length > 2);
  const long = await findTests(project, true, []);
  assert.ok(long.length > 2);
  assert.is(
    [...files, ...long].find((file) => file.shared),
    undefined,
  );
});

Processes('begin with the files that wait longest', async () => {
  const [first] = await findTests(project, false, ['test/faults/', 'client/dom-xss']);
  assert.match(first?.path ?? '', /^test\/faults\//);
});

Processes.run();
