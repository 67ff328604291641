import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { start } from '../contract/support/scans.ts';
import { fieldOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { withFolder } from '../support/folder.ts';
import { firstRows } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { envOf, launcher, ownEnv, readJson, runProgram, startProgram } from './support.ts';

/** What makes this Node one that reads no TypeScript, as older ones are. */
const asOld = ['--no-strip-types'];

type Context = World & { org: TestOrg };
const test = suite('npx scan-audit', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.before.each(async (context) => {
  context.org = await createOrg(context);
});
test.after((world) => world.close());

for (const [name, nodeOptions] of [
  ['this Node', []],
  ['a Node that reads no TypeScript', asOld],
] as const) {
  const surroundings = { nodeOptions: [...nodeOptions] };

  test(`${name}: prints the help, and nothing of Node's own`, async () => {
    const { code, stdout, stderr } = await runProgram(['--help'], surroundings);
    assert.is(code, 0);
    assert.match(stdout, 'Usage: scan-audit');
    assert.is(stderr, '');
  });

  test(`${name}: passes arguments and exit codes on`, async () => {
    const { code, stderr } = await runProgram(['gate', 'a b', '--threshold', '$x'], surroundings);
    assert.is(code, 1);
    assert.match(stderr, "argument '$x' is invalid");
  });

  for (const signal of firstRows(['SIGINT', 'SIGTERM'] as const, 1)) {
    test(`${name}: ${signal} ends it with 1, and the scan goes on`, async (context) => {
      const { org, baseUrl } = context;
      const runId = await start(context, org);
      const running = startProgram(['gate', '--run', runId], { ...surroundings, env: envOf(baseUrl, org.key) });
      await eventually('it waits', async () => running.stderr().includes('waiting for its turn'));
      running.child.kill(signal);
      const { code, stderr } = await running.ended;
      assert.is(code, 1);
      assert.match(stderr, `error: Interrupted. The scan goes on: cancel it with "scan-audit scans cancel ${runId}"`);
      const scan = await context.rest('ScanService/GetScan', { runId }, { key: org.key });
      assert.is(fieldOf(scan.body, 'status'), 'queued');
    });
  }
}

test('Ctrl-C reaches both processes at once, and is one interruption', async (context) => {
  const runId = await start(context, context.org);
  const env = { ...ownEnv, ...envOf(context.baseUrl, context.org.key) };
  const args = [...asOld, launcher, 'gate', '--run', runId];
  const child: ChildProcess = spawn(process.execPath, args, {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await eventually('it waits', async () => errors.includes('waiting for its turn'));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  assert.is(await ended, 1);
  assert.is(errors.split('error: Interrupted. The scan goes on').length, 2);
});

test('without packages it says what to run', () =>
  withFolder(async (folder) => {
    await cp(dirname(launcher), join(folder, 'cli'), { recursive: true });
    const child = spawn(process.execPath, [join(folder, 'cli/scan-audit.mjs'), '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const code = new Promise((resolve) => child.once('close', resolve));
    assert.match(await text(child.stderr), `error: The packages are not installed. Run: npm ci --prefix "${folder}"`);
    assert.is(await code, 1);
  }));

test('an old Node without the one of the packages says which is needed', () =>
  withFolder(async (folder) => {
    await cp(dirname(launcher), join(folder, 'cli'), { recursive: true });
    await mkdir(join(folder, 'node_modules/commander'), { recursive: true });
    await writeFile(join(folder, 'node_modules/commander/index.js'), '');
    const args = [...asOld, join(folder, 'cli/scan-audit.mjs'), '--help'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const code = new Promise((resolve) => child.once('close', resolve));
    assert.match(await text(child.stderr), /error: This is Node .*, and scan-audit needs 22\.18 or newer\./);
    assert.is(await code, 1);
  }));

test('package.json names it', async () => {
  const manifest = await readJson(join(dirname(launcher), '../package.json'));
  assert.is(fieldOf(manifest, 'bin.scan-audit'), 'cli/scan-audit.mjs');
});

test.run();
