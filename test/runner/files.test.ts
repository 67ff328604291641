import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTests, processesOf, type TestFile } from './files.ts';

const project = join(import.meta.dirname, '../..');
const Processes = suite('processes of test files');

const shared = (path: string, seconds = 1): TestFile => ({ path, serial: false, shared: true, seconds });
const own = (path: string, seconds: number): TestFile => ({ path, serial: false, shared: false, seconds });
const pathsOf = (processes: TestFile[][]) =>
  processes.map((files) => files.map(({ path }) => path.split('/').slice(1).join('/')));

Processes('begin with those that last longest', () => {
  const files = [shared('test/core/a.test.ts', 5), own('test/cli/b.test.ts', 9), own('test/cli/c.test.ts', 2)];
  assert.equal(pathsOf(processesOf(files)), [['cli/b.test.ts'], ['core/a.test.ts'], ['cli/c.test.ts']]);
});

Processes('of several files have files of one part of the project', () => {
  const files = [shared('test/core/a.test.ts', 3), shared('test/workflows/b.test.ts'), shared('test/core/c.test.ts')];
  assert.equal(pathsOf(processesOf(files)), [['core/a.test.ts', 'core/c.test.ts'], ['workflows/b.test.ts']]);
});

Processes('of several files last about as long as each other', () => {
  const seconds = [72, 64, 48, 48, 32, 32, 16, 8];
  const files = seconds.map((each, index) => shared(`test/core/${index}.test.ts`, each));
  const sums = processesOf(files).map((batch) => batch.reduce((sum, file) => sum + file.seconds, 0));
  assert.equal(sums, [160, 160]);
});

Processes('have few enough files that one which fails does not cost much', () => {
  const files = Array.from({ length: 100 }, (_, index) => shared(`test/core/${index}.test.ts`, 0.1));
  assert.equal(
    processesOf(files).map(({ length }) => length),
    [50, 50],
  );
});

Processes('have every test file of the project, once', async () => {
  const files = await findTests(project, false, []);
  const paths = processesOf(files).flat();
  assert.is(paths.length, files.length);
  assert.is(new Set(paths.map(({ path }) => path)).size, files.length);
});

Processes(
  'are not shared by what must not run beside others, lasts long, changes its process, or is a long test',
  async () => {
    const files = await findTests(project, false, ['activities/scope', 'workflows/main', 'dev/supervisor']);
    assert.ok(files.length > 2);
    const long = await findTests(project, true, []);
    assert.ok(long.length > 2);
    const all = await findTests(project, false, []);
    assert.equal(
      all.filter(({ shared, seconds }) => shared && seconds > 100),
      [],
    );
    assert.is(
      [...files, ...long].find((file) => file.shared),
      undefined,
    );
  },
);

Processes('of long tests have the files, too, of which only some tests are long', async () => {
  const isBoth = (path: string) => path === 'test/support/further.test.ts';
  for (const long of [false, true])
    assert.ok(
      (await findTests(project, long, [])).some(({ path }) => isBoth(path)),
      String(long),
    );
  const long = await findTests(project, true, []);
  assert.not.ok(long.some(({ path }) => path === 'test/runner/files.test.ts'));
});

Processes.run();
