import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runBatch, runFile } from './run-file.ts';

const planted = (name: string): string => join(import.meta.dirname, 'planted', `${name}.ts`);
const run = (name: string) => runFile({ file: planted(name), env: process.env, timeoutMs: 2_000, exitMs: 500 });

const Judging = suite('a test file');

Judging('passes when all its tests do', async () => {
  const { passed, failed, skipped, faults } = await run('passing');
  assert.equal({ passed, failed, skipped, faults }, { passed: 1, failed: 0, skipped: 1, faults: [] });
});

Judging('fails by the number of its failed tests', async () => {
  const { passed, failed, output } = await run('failing-test');
  assert.equal({ passed, failed }, { passed: 1, failed: 1 });
  assert.match(output, 'adds wrongly');
});

for (const [name, passed, failed] of [
  ['before-throws', 0, 1],
  ['after-each-throws', 0, 1],
  ['throw-null', 0, 1],
] as const) {
  Judging(`fails although uvu says all is well: ${name}`, async () => {
    const outcome = await run(name);
    assert.equal({ passed: outcome.passed, failed: outcome.failed }, { passed, failed });
  });
}

for (const [name, fault] of [
  ['forgotten-run', '2 suites, but .run() is called 1 times'],
  ['leaked-handle', 'its tests ended but its process did not: something is still open'],
  ['leaked-process', 'it left a process running'],
  ['hanging-test', 'it did not end within 2 s'],
  ['no-tests', 'it has no tests'],
  ['only', '.only leaves the other tests out'],
  ['exits-early', 'it did not print its totals'],
  ['fails-after', 'exit code 1'],
] as const) {
  Judging(`fails for what it does besides its tests: ${name}`, async () => {
    const outcome = await run(name);
    assert.is.not(outcome.failed, 0);
    assert.ok(outcome.faults.includes(fault), outcome.faults.join('; '));
  });
}

Judging('ends at once when the run is interrupted', async () => {
  const startedAt = performance.now();
  const outcome = await runFile({
    file: planted('hanging-test'),
    env: process.env,
    timeoutMs: 30_000,
    signal: AbortSignal.timeout(500),
  });
  assert.is.not(outcome.failed, 0);
  assert.ok(performance.now() - startedAt < 5_000);
});

Judging.run();

const Batches = suite('files in one process');

const runTogether = (...names: string[]) =>
  runBatch({ files: names.map(planted), env: process.env, timeoutMs: 4_000, exitMs: 500 });

Batches('have the same outcomes as in processes of their own', async () => {
  const { outcomes, fault } = await runTogether('passing', 'two-suites');
  assert.is(fault, undefined);
  assert.equal(
    outcomes.map(({ passed, failed, skipped, faults }) => [passed, failed, skipped, faults.length]),
    [
      [1, 0, 1, 0],
      [3, 0, 0, 0],
    ],
  );
});

const outcomesWith = async (name: string) => {
  const { outcomes, fault, isOfNext } = await runTogether('passing', name, 'two-suites');
  assert.type(fault, 'string');
  return { counted: outcomes.length, isOfNext };
};

for (const name of ['failing-test', 'before-throws', 'after-each-throws', 'throw-null', 'no-tests'])
  Batches(`before one that fails count, and those after it are to be run again: ${name}`, async () => {
    assert.equal(await outcomesWith(name), { counted: 1, isOfNext: true });
  });

for (const name of [
  'forgotten-run',
  'leaked-handle',
  'leaked-process',
  'hanging-test',
  'only',
  'exits-early',
  'fails-after',
])
  Batches(`are to be run one by one when anything is wrong besides tests: ${name}`, async () => {
    assert.equal(await outcomesWith(name), { counted: 0, isOfNext: undefined });
  });

Batches('after one that fails are not run', async () => {
  const started = performance.now();
  const { outcomes, isOfNext } = await runTogether('passing', 'failing-test', 'hanging-test');
  assert.equal([outcomes.length, isOfNext], [1, true]);
  assert.ok(performance.now() - started < 4_000);
});

Batches.run();
