import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { updatedDurations } from './durations.ts';
import { slowestOf } from './slowest.ts';

const Recorded = suite('recorded durations');

Recorded('are those of the last run, and of files that did not run in it', () => {
  const recorded = { 'test/a.test.ts': 5, 'test/b.test.ts': 7 };
  const updated = updatedDurations(recorded, { 'test/c.test.ts': 1.6, 'test/a.test.ts': 9.2 }, [
    'test/a.test.ts',
    'test/b.test.ts',
    'test/c.test.ts',
  ]);
  assert.equal(Object.entries(updated), [
    ['test/a.test.ts', 9],
    ['test/b.test.ts', 7],
    ['test/c.test.ts', 2],
  ]);
});

Recorded('forget files that are gone, and those that take less than a second', () => {
  assert.equal(updatedDurations({ 'test/gone.test.ts': 5 }, { 'test/a.test.ts': 0.9 }, ['test/a.test.ts']), {});
});

Recorded.run();

const Slowest = suite('the slowest files');

Slowest('are named with their seconds, the slowest first', () => {
  assert.equal(slowestOf({ 'test/a.test.ts': 1, 'test/b.test.ts': 30.04, 'test/c.test.ts': 4 }, 2), [
    '30.0 s  test/b.test.ts',
    '4.0 s  test/c.test.ts',
  ]);
});

Slowest.run();
