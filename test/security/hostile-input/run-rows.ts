import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { allRows, rows } from './rows.ts';

/** All rows there are, or those that are measured with every change. */
export type Table = 'all' | 'usual';

export type Measured = {
  name: string;
  cpuMs?: number;
  MiB?: number;
  /** What it threw. */
  error?: string;
  /** Why there is no measure. */
  died?: string;
};

const measure = fileURLToPath(new URL('measure.ts', import.meta.url));
/** Far beyond what a row may take, however busy the machine is: what does not come to an end. */
const maxRowMs = 300_000;
/** Live objects beyond it end the process: the code itself takes some 60 MiB. */
const maxHeapMiB = 256;

/** Measures all rows one after the other in a process of their own; one that ends it is the only one that it costs. */
export async function runRows(table: Table, onRow: (measured: Measured) => void): Promise<void> {
  const measuredRows = table === 'all' ? allRows : rows;
  for (let next = 0; next < measuredRows.length; ) {
    const { done, died } = await measureFrom(table, next, onRow);
    next += done;
    const row = measuredRows[next];
    if (!row) return;
    onRow({ name: row.name, died });
    next += 1;
  }
}

/** @returns how many rows were measured, and why there are no more */
async function measureFrom(table: Table, first: number, onRow: (measured: Measured) => void) {
  const flags = [`--max-old-space-size=${maxHeapMiB}`, '--no-warnings'];
  const child = spawn(process.execPath, [...flags, measure, table, String(first)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  let isHeldUp = false;
  let done = 0;
  child.stderr.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2_000);
  });
  const watch = setTimeout(() => {
    isHeldUp = true;
    child.kill('SIGKILL');
  }, maxRowMs);
  for await (const line of createInterface({ input: child.stdout })) {
    watch.refresh();
    onRow(JSON.parse(line));
    done += 1;
  }
  clearTimeout(watch);
  return { done, died: isHeldUp ? `took longer than ${maxRowMs} ms` : `ended its process: ${stderr}` };
}
