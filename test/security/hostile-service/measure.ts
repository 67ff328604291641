import { readFileSync, writeFileSync } from 'node:fs';
import { type Measured, maxMemoryMb, type Row } from './row.ts';
import { chosenRows, type Table } from './test-rows.ts';

/** Runs in a process of its own, with --expose-gc: measures the rows of the module that it is given, one after the other: "all" or the "usual" ones. */
const [module = '', table] = process.argv.slice(2);
const { rows } = (await import(module)) as { rows: readonly Row[] };

const mebibyte = 1024 * 1024;
const collect = globalThis.gc ?? (() => {});

/** Peak resident memory since the last reset. Where Linux does not report it, that of the whole process. */
function peakBytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Only the memory of the largest row is measured then.
  }
}

async function time(row: Row, size: number): Promise<{ ms: number; bytes: number }> {
  const input = row.make(size) as never;
  collect();
  const before = process.memoryUsage().rss;
  resetPeak();
  const { user } = process.threadCpuUsage();
  await Promise.resolve()
    .then(() => row.read(input))
    .catch(() => {});
  const ms = (process.threadCpuUsage().user - user) / 1_000;
  return { ms, bytes: Math.max(0, peakBytes() - before) };
}

async function measure(row: Row): Promise<Measured> {
  await time(row, Math.ceil(row.size / 64));
  const half = await time(row, Math.floor(row.size / 2));
  let whole = await time(row, row.size);
  // Garbage that a busy machine has not collected yet counts as resident: what the row needs is the least of a few peaks.
  for (let again = 0; again < 3 && whole.bytes > maxMemoryMb * mebibyte; again++) {
    const { ms, bytes } = await time(row, row.size);
    whole = { ms: Math.min(ms, whole.ms), bytes: Math.min(bytes, whole.bytes) };
  }
  return { name: row.name, ms: whole.ms, halfMs: half.ms, memoryMb: whole.bytes / mebibyte };
}

for (const row of chosenRows(rows, table as Table)) console.log(JSON.stringify(await measure(row)));

// What is still open belongs to no row.
process.exit(0);
