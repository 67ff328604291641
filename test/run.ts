/**
 * `npm test [-- part-of-a-path …]` runs every test file in a process of its own, or of a few small ones, beside a
 * PostgreSQL and a Temporal that all of them share. `--long` runs the long ones. `--record` writes down how long each
 * file took, by which later runs begin with the longest. Up to three files that fail beside others are run once more by
 * themselves, on a quiet machine, and named: many measure time or memory. The closing line counts tests; the exit code is 0
 * only when some passed and none failed.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sandboxFault } from '../dev/browser-sandbox.ts';
import { recordDurations } from './runner/durations.ts';
import { findTests, processesOf, type TestFile, testPaths } from './runner/files.ts';
import { type Outcome, runBatch, runFile } from './runner/run-file.ts';
import { slowestOf } from './runner/slowest.ts';
import { furtherVariable } from './support/further.ts';
import { type Servers, startServers, superuserVariable, temporalVariable } from './support/servers.ts';

const project = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const isLong = args.includes('--long');
const files = await findTests(
  project,
  isLong,
  args.filter((arg) => !arg.startsWith('--')),
);
const timeoutMs = isLong ? 3_600_000 : 420_000;
const interrupted = new AbortController();
const sum = { passed: 0, failed: 0, skipped: 0 };
/** What each failed file said, printed again at the end: a log that is cut short keeps its end. */
const failures: string[] = [];
/** Of each file that ran. */
const secondsByPath: Record<string, number> = {};
const slowestShown = 10;
let startedAt = performance.now();
const maxRepeated = 3;
const failedBesideOthers: string[] = [];
const passedAlone: string[] = [];

function report(path: string, outcome: Outcome, isAlone = false): void {
  const { passed, failed, skipped, faults } = outcome;
  secondsByPath[path] = outcome.durationMs / 1000;
  const isRepeated = failed > 0 && !isAlone && files.length > 1 && failedBesideOthers.push(path) <= maxRepeated;
  if (!isRepeated) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  const seconds = (outcome.durationMs / 1000).toFixed(1);
  const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean);
  console.log(`${failed > 0 ? '✘' : '✓'} ${path}: ${counts.join(', ')} (${seconds} s)`);
  if (failed === 0) return;
  const said = [...faults.map((fault) => `  ${fault}`), outcome.output].join('\n');
  console.log(said);
  if (!isRepeated) failures.push(`  ${path}\n${shorten(said)}`);
}

async function repeatAlone(env: NodeJS.ProcessEnv): Promise<void> {
  for (const path of failedBesideOthers.slice(0, maxRepeated)) {
    if (interrupted.signal.aborted) return;
    console.log(`… ${path} failed beside others, and is run by itself:`);
    const outcome = await runFile({ file: join(project, path), env, timeoutMs, signal: interrupted.signal });
    report(path, outcome, true);
    if (outcome.failed === 0) passedAlone.push(path);
  }
}

/** Up to the stack of each failed test, and not without end. */
function shorten(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s+at .*node:internal/.test(line));
  return lines.length <= 80 ? lines.join('\n') : [...lines.slice(0, 60), '…', ...lines.slice(-20)].join('\n');
}

async function runAll(files: TestFile[], width: number, env: NodeJS.ProcessEnv): Promise<void> {
  const queue = processesOf(files);
  const next = async (): Promise<void> => {
    const tests = queue.shift();
    if (!tests || interrupted.signal.aborted) return;
    await runTogether(tests, env);
    return next();
  };
  await Promise.all(Array.from({ length: width }, next));
}

async function runAlone(tests: TestFile[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const { path } of tests) {
    if (interrupted.signal.aborted) return;
    report(path, await runFile({ file: join(project, path), env, timeoutMs, signal: interrupted.signal }));
  }
}

/** In one process, or in as many as are needed when anything is wrong. */
async function runTogether(tests: TestFile[], env: NodeJS.ProcessEnv): Promise<void> {
  if (tests.length <= 1) return runAlone(tests, env);
  const inOne = tests.map(({ path }) => join(project, path));
  const batch = await runBatch({ files: inOne, env, timeoutMs: 2 * timeoutMs, signal: interrupted.signal });
  for (const [index, outcome] of batch.outcomes.entries()) report(tests[index]?.path ?? '', outcome);
  const [next, ...others] = tests.slice(batch.outcomes.length);
  if (!next || interrupted.signal.aborted) return;
  console.log(`… ${next.path}${batch.isOfNext ? '' : ` and ${others.length} more`} is run by itself: ${batch.fault}`);
  if (!batch.isOfNext) return runAlone([next, ...others], env);
  await runAlone([next], env);
  await runTogether(others, env);
}

async function main(): Promise<void> {
  if (files.length === 0) {
    console.error('No test file matches.');
    return;
  }
  const fault = process.env.BROWSER_SANDBOX ? undefined : await sandboxFault();
  if (fault !== undefined) console.log(`The browser runs without its sandbox (BROWSER_SANDBOX=off), since ${fault}.`);
  const servers: Servers = await startServers(['postgres', 'temporal']);
  const env = {
    ...process.env,
    ...(isLong && { [furtherVariable]: 'all' }),
    ...(fault !== undefined && { BROWSER_SANDBOX: 'off' }),
    [superuserVariable]: servers.addresses.superuserUrl,
    [temporalVariable]: servers.addresses.temporalAddress,
  };
  try {
    startedAt = performance.now();
    // Files wait for sites, timers and databases most of their time.
    const width = Math.min(3 * availableParallelism(), 8);
    await runAll(
      files.filter(({ serial }) => !serial),
      width,
      env,
    );
    await runAll(
      files.filter(({ serial }) => serial),
      1,
      env,
    );
    await repeatAlone(env);
  } finally {
    servers.close();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
await main().catch((error: unknown) => {
  sum.failed += 1;
  console.error(error);
});
if (interrupted.signal.aborted) {
  sum.failed += 1;
  console.log('\nInterrupted.');
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
for (const path of passedAlone) console.log(`\n${path} failed beside others and passed by itself.`);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`\n${Math.floor(seconds / 60)} min ${seconds % 60} s after set-up. The slowest files:`);
for (const line of slowestOf(secondsByPath, slowestShown)) console.log(`  ${line}`);
if (args.includes('--record')) await recordDurations(project, secondsByPath, await testPaths(project));
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
