import { setImmediate } from 'node:timers/promises';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { allRows, rows } from './rows.ts';

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;

/** Measures the rows of a table from one on, a line of JSON each. One that has no line has ended the process. */
const [table, first] = process.argv.slice(2);
for (const { name, input, run } of (table === 'all' ? allRows : rows).slice(Number(first))) {
  const given = await input();
  // Weak references of the row before hold until its turn of the event loop has ended.
  await setImmediate();
  gc();
  const before = held();
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
  gc();
  const peak = Math.max(held(), ...live);
  console.log(JSON.stringify({ name, cpuMs: spentMs, MiB: (peak - before) / 1024 / 1024, error, kept: typeof result }));
}
