#!/usr/bin/env node
/**
 * `npx scan-audit` from a checkout. Runs the program under this Node when it can read TypeScript (22.18 or newer), else
 * under the Node that is one of the project's packages. Plain JavaScript that Node 18 reads.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const { resolve: find } = createRequire(import.meta.url);

/** The file of a package; undefined when it is not installed. */
function findFile(specifier) {
  try {
    return find(specifier);
  } catch {
    return undefined;
  }
}

function fail(line) {
  process.stderr.write(`error: ${line}\n`);
  process.exitCode = 1;
}

/** Node from 22.18 on reads TypeScript, but some versions say each time that this is experimental. */
async function runHere(program) {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const [type] = rest;
    const name = typeof type === 'object' && type !== null ? type.type : type;
    if (name !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
  await import(program);
}

function runUnder(node, program) {
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isInterrupted = true;
      child.kill(signal);
    });
  child.once('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    // A Ctrl-C that reaches both may come a second time while the program is already ending, and then ends it by itself.
    if (signal === null || isInterrupted) {
      process.exitCode = code ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function main() {
  const program = new URL('./main.ts', import.meta.url);
  if (!findFile('commander'))
    return fail(`The packages are not installed. Run: npm ci --prefix "${resolve(folder, '..')}"`);
  if (process.features.typescript) return runHere(program.href);
  const manifest = findFile('node/package.json');
  const node = manifest && join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!node || !existsSync(node))
    return fail(
      `This is Node ${process.versions.node}, and scan-audit needs 22.18 or newer. Install that, or run npm ci.`,
    );
  return runUnder(node, program);
}

await main();
