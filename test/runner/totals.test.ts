import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allTotals, readTotals } from './totals.ts';

const Totals = suite('totals');

Totals('are read from the last lines of the output, whatever the tests printed', () => {
  const output = '  Total:     9\n  Passed:    9\n  Skipped:   9\n\n  Total:     3\n  Passed:    2\n  Skipped:   1\n';
  assert.equal(readTotals(output), { total: 3, passed: 2, skipped: 1, durationMs: 0 });
});

Totals('are those of each file when several ran', () => {
  const of = (passed: number) =>
    `\n  Total:     ${passed}\n  Passed:    ${passed}\n  Skipped:   0\n  Duration:  4.50ms\n\n`;
  const each = { skipped: 0, durationMs: 4.5 };
  assert.equal(allTotals(`one\n${of(1)}two\n${of(2)}`), [
    { total: 1, passed: 1, ...each },
    { total: 2, passed: 2, ...each },
  ]);
});

Totals('are read through colours', () => {
  const output = '\n  Total:     2\u001b[32m\n  Passed:    2\u001b[39m\n  Skipped:   \u001b[33m1\u001b[39m\n';
  assert.equal(readTotals(output), { total: 2, passed: 2, skipped: 1, durationMs: 0 });
});

Totals('are not there when the file ended before', () => {
  assert.is(readTotals('  Total:     2'), undefined);
  assert.equal(allTotals('  Total:     2'), []);
});

Totals.run();
