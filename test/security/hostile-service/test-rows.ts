import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { firstOfEach } from '../first-of-each.ts';
import { type Measured, maxMemoryMb, type Row } from './row.ts';

const modules = ['gateway-rows.ts', 'document-rows.ts', 'core-rows.ts', 'cli-rows.ts'];

/** Of the thread that serves everybody. A document is read in a thread of its own, which is ended after 20 s. */
const maxMs = 1_000;
const maxAsideMs = 10_000;
/** Twice the input may take three times as long, not four: measured where it is long enough to be distinguished from noise. */
const maxGrowth = 3.5;
const noiseMs = 400;

export type Table = 'all' | 'usual';

const rowsOf = async (module: string) =>
  ((await import(join(import.meta.dirname, module))) as { rows: readonly Row[] }).rows;

/** Of a module, as both the test and the process that measures take them. */
export const chosenRows = (rows: readonly Row[], table: Table): readonly Row[] =>
  table === 'all' ? rows : firstOfEach(rows.filter(({ isFurther }) => !isFurther));

export const allRows = async (): Promise<Row[]> => (await Promise.all(modules.map(rowsOf))).flat();

/** Measures hostile inputs of callers, with a test for each. */
export async function testRows(test: Test, table: Table): Promise<void> {
  for (const module of modules) {
    const rows = chosenRows(await rowsOf(module), table);
    const measured = Promise.withResolvers<Map<string, Measured>>();
    test(`${module}: is measured in a process of its own`, async () => {
      measured.resolve(await measure(module, table));
      assert.is((await measured.promise).size, rows.length);
    });
    for (const row of rows)
      test(`${module}: ${row.name}`, async () => {
        const result = (await measured.promise).get(row.name);
        if (!result) throw new Error('it was not measured');
        const { ms, halfMs, memoryMb } = result;
        assert.ok(ms <= (row.isAside ? maxAsideMs : maxMs), `${ms} ms`);
        assert.ok(ms <= noiseMs || ms <= maxGrowth * halfMs, `${halfMs} ms for half of it, ${ms} ms for all`);
        if (!row.isAside) assert.ok(memoryMb <= maxMemoryMb, `${memoryMb} MiB`);
      });
  }
}

async function measure(module: string, table: Table): Promise<Map<string, Measured>> {
  const program = join(import.meta.dirname, 'measure.ts');
  const child = spawn(process.execPath, ['--expose-gc', program, join(import.meta.dirname, module), table], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 500_000,
  });
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Measured).map((result) => [result.name, result]));
}
