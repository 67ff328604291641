import { setImmediate } from 'node:timers/promises';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MiB, maxMiB, type Row } from './row.ts';
import { allRows, rows } from './rows.ts';

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;

/** Garbage of earlier rows beyond it is collected before a row. */
const maxGarbage = (maxMiB / 2) * MiB;

function heldAfterCollection(): number {
  gc();
  return held();
}

/** Bytes of what all rows need. */
const floor = heldAfterCollection();

async function measure({ input, run }: Row, isExact: boolean) {
  const given = await input();
  // Weak references of the row before hold until its turn of the event loop has ended.
  await setImmediate();
  const before = isExact ? heldAfterCollection() : floor;
  if (held() - floor > maxGarbage) gc();
  const profiler = new GCProfiler();
  profiler.start();
  const startMs = cpuMs();
  let error = '';
  const result = await Promise.resolve()
    .then(() => run(given as never))
    .catch((reason: unknown) => {
      error = String(reason).slice(0, 200);
    });
  const spentMs = cpuMs() - startMs;
  const live = (profiler.stop()?.statistics ?? [])
    .filter(({ gcType }) => gcType !== 'Scavenge')
    .map(({ afterGC: { heapStatistics } }) => heapStatistics.usedHeapSize + heapStatistics.externalMemory);
  const peak = Math.max(isExact ? heldAfterCollection() : held(), ...live);
  return { cpuMs: spentMs, MiB: (peak - before) / MiB, error, kept: typeof result };
}

/**
 * Measures the rows of a table from one on, a line of JSON each. One that has no line has ended the process.
 * A full collection takes longer than most rows, so the first measure is an upper bound, with garbage and input:
 * only a row that holds too much by it is measured again without.
 */
const [table, first] = process.argv.slice(2);
for (const each of (table === 'all' ? allRows : rows).slice(Number(first))) {
  const upperBound = await measure(each, false);
  const measured = upperBound.MiB <= maxMiB ? upperBound : await measure(each, true);
  console.log(JSON.stringify({ name: each.name, ...measured }));
}
