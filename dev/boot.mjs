/**
 * `node dev/boot.mjs [--flag of Node …] program.ts [arguments]` runs a program of this project on a machine that has Node 18 or newer
 * and nothing else: installs the packages when package-lock.json asks for others than are there, then runs the
 * program under the Node that is one of them. Plain JavaScript of that age, and no package.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Whether the packages in node_modules are those of package-lock.json.
 * @param {string} project folder with package-lock.json
 * @returns {'installed' | 'unmarked' | 'missing'} 'unmarked': they are, but nobody has noted it
 */
export function packagesState(project) {
  const lockText = readFileSync(join(project, 'package-lock.json'), 'utf8');
  if (read(markerOf(project)) === hashOf(lockText)) return 'installed';
  const installedText = read(join(project, 'node_modules', '.package-lock.json'));
  if (installedText === undefined) return 'missing';
  const wanted = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  const differs = ([path, entry]) => {
    if (path === '') return false;
    const found = installed[path];
    // Packages for other platforms are optional, and not there.
    if (!found) return !entry.optional;
    return found.version !== entry.version || found.integrity !== entry.integrity;
  };
  return Object.entries(wanted).some(differs) ? 'missing' : 'unmarked';
}

/** Notes that the packages are those of package-lock.json. */
export function markInstalled(project) {
  try {
    writeFileSync(markerOf(project), hashOf(readFileSync(join(project, 'package-lock.json'), 'utf8')));
  } catch {
    // A read-only checkout: the packages are compared again next time.
  }
}

/** The Node that the project runs under; undefined when its package is not there, or its install script did not run. */
export function projectNode(project) {
  const path = join(project, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : undefined;
}

const markerOf = (project) => join(project, 'node_modules', '.scan-audit-lock');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function install(project) {
  say('Installing the packages of package-lock.json: about a minute on the first start …');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
    // Standard output is the program's own.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (result.error) fail(`npm cannot be started (${result.error.message}). It comes with Node: install both.`);
  if (result.signal || result.status !== 0) fail("The packages could not be installed: see npm's message above.");
}

/** One installation at a time: a second start waits for the first one's. */
function whileLocked(project, work) {
  const lock = join(project, '.data', 'installing');
  mkdirSync(dirname(lock), { recursive: true, mode: 0o711 });
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (let isFirst = true; !tryLock(lock); isFirst = false) {
    if (isFirst) say(`Waiting for another start that installs packages (process ${read(lock)}) …`);
    Atomics.wait(wait, 0, 0, 500);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isRunning(Number(read(lock)))) return false;
  // Whoever installed was killed.
  rmSync(lock, { force: true });
  return tryLock(lock);
}

/** Whether a process has this pid; for 0, of a lock that is just being written, the answer is yes. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function run(project, node, args) {
  const path = [join(project, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(delimiter);
  // Each start of a program strips the types of some hundred files; what was stripped once is kept.
  const cache = join(project, 'node_modules', '.cache', 'node');
  const child = spawn(node, args, {
    stdio: 'inherit',
    // The arenas as in kit/node-flags.ts.
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2', ...process.env, PATH: path },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) endWithParent(child);
  child.once('error', (error) => {
    say(`${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends in the same way, so that whoever waits for us sees what happened.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** npm sends a signal to a shell, which ends without passing it on: its end is the signal. */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 300);
  watch.unref();
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

/** An error whose message the user sees instead of a stack. */
class BootError extends Error {}

function fail(line) {
  throw new BootError(line);
}

function main() {
  const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
  const given = process.argv.slice(2);
  const flags = [];
  while (given[0]?.startsWith('-')) flags.push(given.shift());
  const [program, ...args] = given;
  if (!program) fail('Usage: node dev/boot.mjs [--flag of Node …] program.ts [arguments]');
  const state = packagesState(project);
  if (state === 'missing') {
    whileLocked(project, () => {
      if (packagesState(project) === 'missing') install(project);
      markInstalled(project);
    });
  }
  if (state === 'unmarked') markInstalled(project);
  const node = projectNode(project);
  if (!node) {
    fail(
      'The Node of the project is not there: npm did not run the install script of the package "node". Run: npm rebuild node',
    );
  }
  run(project, node, [...flags, resolve(project, program), ...args]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  try {
    main();
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
