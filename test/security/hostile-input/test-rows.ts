import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { maxCpuMs, maxMiB } from './row.ts';
import { allRows, rows } from './rows.ts';
import { type Measured, runRows, type Table } from './run-rows.ts';

/** Measures a table of hostile inputs, with a test for each row. */
export async function testRows(test: Test, table: Table): Promise<void> {
  const tested = table === 'all' ? allRows : rows;
  const measured = new Map<string, Measured>();
  await runRows(table, (each) => measured.set(each.name, each));

  for (const { name } of tested)
    test(`${name}: takes little time and memory`, () => {
      const { died, cpuMs = 0, MiB = 0 } = measured.get(name) ?? { died: 'it was not measured' };
      assert.is(died, undefined);
      assert.ok(cpuMs <= maxCpuMs, `${Math.round(cpuMs)} ms of the event loop`);
      assert.ok(MiB <= maxMiB, `${Math.round(MiB)} MiB`);
    });
  test('each row has a name of its own', () => assert.is(new Set(tested.map(({ name }) => name)).size, tested.length));
}
