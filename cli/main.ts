import { run } from './run.ts';
import { exitCodes } from './trouble.ts';

/** A second signal within this time is the same one: it was sent to the whole process group and passed on by npm as well. */
const sameSignalMs = 1_000;

const interrupted = new AbortController();
let firstAtMs: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (firstAtMs !== undefined && performance.now() - firstAtMs > sameSignalMs) process.exit(exitCodes.trouble);
    firstAtMs ??= performance.now();
    interrupted.abort();
  });

// Whoever reads has had enough, for instance `head`: that is no fault, and changes no verdict.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const { env, argv, stdout, stderr } = process;
process.exitCode = await run(argv.slice(2), { env, stdout, stderr, signal: interrupted.signal });
