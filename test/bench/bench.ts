/**
 * `npm run bench` measures beside a peer or a baseline in the same run and prints ratios; takes about ten minutes.
 * `npm run bench -- --peers` runs other scanners on the same targets; takes longer, for some of them are slow.
 * `--only` measures a part: of api, scans, throughput, survey; with `--peers` of tls, headers, shop. `--tools` names tools.
 */
import { parseArgs } from 'node:util';
import { apiRows } from './api.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { comparePeers } from './peers/peers.ts';
import { scanRows } from './scans.ts';
import { surveyRows } from './survey.ts';
import { type Row, table } from './table.ts';
import { throughputRows } from './throughput.ts';

const durationSeconds = 10;
const counts = { standard: 20, deep: 3 };

const { values } = parseArgs({
  options: { peers: { type: 'boolean' }, only: { type: 'string' }, tools: { type: 'string' } },
});
const isWanted = (part: string): boolean => values.only?.split(',').includes(part) ?? true;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

async function withStack<T>(temporal: boolean, work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const stack = await startBenchStack({ temporal });
  try {
    return await work(stack);
  } finally {
    await stack.close();
  }
}

async function measureOurs(): Promise<void> {
  const rows: Row[] = [];
  const profiles: string[] = [];
  if (isWanted('api')) {
    console.error('Measuring the API over 1,001,000 scans …');
    rows.push(...(await withStack(false, (stack) => apiRows(stack, durationSeconds))));
  }
  if (isWanted('scans')) {
    console.error('Measuring scans …');
    const scans = await withStack(true, (stack) => scanRows(stack, counts));
    rows.push(...scans.rows);
    profiles.push(...scans.profiles);
  }
  if (isWanted('throughput')) {
    console.error('Measuring 1, 2 and 4 workers …');
    rows.push(...(await withStack(true, throughputRows)));
  }
  if (isWanted('survey')) {
    console.error('Measuring surveys of 100, 200 and 2,000 pages …');
    rows.push(...(await surveyRows()));
  }
  console.log([table(rows), ...profiles].join('\n\n'));
}

async function measurePeers(): Promise<void> {
  const kinds = (['tls', 'headers', 'shop'] as const).filter(isWanted);
  console.log(await comparePeers(process.env, { kinds, tools: values.tools?.split(',') }));
}

await (values.peers ? measurePeers() : measureOurs());
