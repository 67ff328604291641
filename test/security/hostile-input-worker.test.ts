import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxCpuMs, maxMiB } from './hostile-input/row.ts';
import { rows } from './hostile-input/rows.ts';
import { type Measured, runRows } from './hostile-input/run-rows.ts';

const measured = new Map<string, Measured>();
await runRows(rows, (each) => measured.set(each.name, each));

const test = suite('what a target sends to the worker');

for (const { name } of rows)
  test(`${name}: takes little time and memory`, () => {
    const { died, cpuMs = 0, MiB = 0 } = measured.get(name) ?? { died: 'it was not measured' };
    assert.is(died, undefined);
    assert.ok(cpuMs <= maxCpuMs, `${Math.round(cpuMs)} ms of the event loop`);
    assert.ok(MiB <= maxMiB, `${Math.round(MiB)} MiB`);
  });

test('each row has a name of its own', () => assert.is(new Set(rows.map(({ name }) => name)).size, rows.length));

test.run();
