import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readTotals, runFile } from './run-file.ts';

const run = (name: string) =>
  runFile({
    file: join(import.meta.dirname, 'planted', `${name}.ts`),
    env: process.env,
    timeoutMs: 2_000,
    exitMs: 500,
  });

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
  const file = join(import.meta.dirname, 'planted', 'hanging-test.ts');
  const startedAt = performance.now();
  const outcome = await runFile({ file, env: process.env, timeoutMs: 30_000, signal: AbortSignal.timeout(500) });
  assert.is.not(outcome.failed, 0);
  assert.ok(performance.now() - startedAt < 5_000);
});

Judging.run();

const Totals = suite('totals');

Totals('are read from the last lines of the output, whatever the tests printed', () => {
  const output = '  Total:     9\n  Passed:    9\n  Skipped:   9\n\n  Total:     3\n  Passed:    2\n  Skipped:   1\n';
  assert.equal(readTotals(output), { total: 3, passed: 2, skipped: 1 });
});

Totals('are read through colours', () => {
  const output = '\n  Total:     2\u001b[32m\n  Passed:    2\u001b[39m\n  Skipped:   \u001b[33m1\u001b[39m\n';
  assert.equal(readTotals(output), { total: 2, passed: 2, skipped: 1 });
});

Totals('are not there when the file ended before', () => {
  assert.is(readTotals('  Total:     2'), undefined);
});

Totals.run();
