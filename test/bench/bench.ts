/** `npm run bench`: measures beside a peer or a baseline in the same run and prints ratios; takes about two minutes. */
import { apiRows } from './api.ts';
import { startBenchStack } from './bench-stack.ts';
import { table } from './table.ts';

const durationSeconds = 10;

console.error('Starting PostgreSQL, core, gateway and the bare peer; filling in 1,001,000 scans …');
const stack = await startBenchStack();
try {
  console.log(table(await apiRows(stack, durationSeconds)));
} finally {
  await stack.close();
}
