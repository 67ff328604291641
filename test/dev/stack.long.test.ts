import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StackFacts } from '../../dev/stack.ts';
import { withFolder } from '../support/folder.ts';
import { eventually, isRunning, processesWith } from '../support/processes.ts';

const program = join(import.meta.dirname, '../../dev/serve.ts');
const names = ['core', 'demo', 'gateway', 'listener', 'postgres', 'temporal', 'worker'];

const started: ChildProcess[] = [];

type Started = { child: ChildProcess; errors: Promise<string> };

/** `npm run stack` with ports of its own. */
function start(home: string, settings: Record<string, string> = {}): Started {
  const ports = { GATEWAY_PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...ports, SCAN_AUDIT_HOME: home, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  assert.ok(child.stderr);
  started.push(child);
  return { child, errors: text(child.stderr) };
}

async function ready({ child, errors }: Started): Promise<void> {
  assert.ok(child.stdout);
  const ended = once(child, 'exit').then(async () => assert.unreachable(await errors));
  await Promise.race([once(child.stdout, 'data'), ended]);
}

async function end({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = await exited;
  return code;
}

/** Ends what a failed test has left running. */
async function endAll(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null)
      await end({ child, errors: Promise.resolve('') }, 'SIGTERM');
  }
}

const facts = async (home: string): Promise<StackFacts> => JSON.parse(await readFile(join(home, 'stack.json'), 'utf8'));
const noProcess = (home: string) =>
  eventually('no process is left', async () => (await processesWith(home)).length === 0, 5_000);

async function api(home: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const { gatewayUrl, apiKey } = await facts(home);
  const response = await fetch(new URL(path, gatewayUrl), {
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

/** One for all of these, since each takes seconds to start; the test that ends it comes last. */
type Stacks = { folder: string; one: Started };

const Stack = suite<Stacks>('the stack');
Stack.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'scan-audit-'));
  await chmod(context.folder, 0o711);
  context.one = start(oneIn(context));
  await ready(context.one);
});
Stack.after(async ({ folder }) => {
  await endAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const oneIn = ({ folder }: Stacks) => join(folder, 'one');

Stack('refuses a data folder that is in use, naming its user', async (context) => {
  const refused = start(oneIn(context));
  const [code] = await once(refused.child, 'exit');
  assert.is(code, 1);
  assert.match(await refused.errors, `process ${context.one.child.pid}`);
  assert.is((await api(oneIn(context), '/api/v1/scans')).status, 200);
});

Stack('runs beside another one', async (context) => {
  const home = join(context.folder, 'two');
  const two = start(home, { TEMPORAL_STORE: 'memory' });
  await ready(two);
  for (const each of [oneIn(context), home]) assert.is((await api(each, '/api/v1/scans')).status, 200);
  assert.is(await end(two, 'SIGTERM'), 0);
  await noProcess(home);
});

Stack('brings back each program that is killed, at the same address', async (context) => {
  const home = oneIn(context);
  const before = await facts(home);
  for (const pid of Object.values(before.pids)) process.kill(pid, 'SIGKILL');
  const isBack = async () => {
    const { pids } = await facts(home);
    return names.every((name) => pids[name] !== before.pids[name]);
  };
  await eventually('all are back', isBack, 60_000);
  const isServing = async () => (await api(home, '/api/v1/scans').catch(() => undefined))?.status === 200;
  await eventually('it serves', isServing, 20_000);
});

Stack('serves with its keys, keeps them and its data through a kill, and leaves no process', async (context) => {
  const home = oneIn(context);
  const before = await facts(home);
  assert.is((await stat(join(home, 'stack.json'))).mode & 0o777, 0o600);
  assert.is((await stat(join(home, 'secrets.json'))).mode & 0o777, 0o600);
  assert.equal(Object.keys(before.pids).sort(), names);
  const accepted = await api(home, '/api/v1/scans', { url: before.demoUrl });
  assert.is(accepted.status, 201, JSON.stringify(accepted.body));

  await end(context.one, 'SIGKILL');
  for (const pid of Object.values(before.pids)) assert.ok(await isRunning(pid));
  const second = start(home);
  await ready(second);
  for (const pid of Object.values(before.pids)) assert.not(await isRunning(pid));
  const after = await facts(home);
  for (const name of ['apiKey', 'serviceKey', 'operatorKey', 'orgId'] as const) assert.is(after[name], before[name]);
  const listed = JSON.stringify((await api(home, '/api/v1/scans')).body);
  assert.match(listed, (accepted.body as { runId: string }).runId);

  assert.is(await end(second, 'SIGINT'), 0);
  await noProcess(home);
  assert.is(await stat(join(home, 'stack.json')).catch(() => undefined), undefined);
  assert.match(await second.errors, 'Ended what an earlier start had left running');
});

Stack('says which port is taken and how to choose another, and starts nothing', () =>
  withFolder(async (home) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' && address?.port);
    const stack = start(home, { CORE_PORT: port });
    const [code] = await once(stack.child, 'exit');
    server.close();
    assert.is(code, 1);
    assert.match(await stack.errors, `Port ${port} is already taken`);
    assert.match(await stack.errors, 'CORE_PORT=0');
    await noProcess(home);
  }),
);

Stack.run();

const Interrupted = suite('an interrupted start');
Interrupted.after.each(endAll);

for (const afterMs of [50, 600, 1_500, 3_000]) {
  Interrupted(`leaves no process after ${afterMs} ms`, () =>
    withFolder(async (home) => {
      const stack = start(home, { TEMPORAL_STORE: 'memory' });
      await sleep(afterMs);
      await end(stack, 'SIGINT');
      await noProcess(home);
    }),
  );
}

Interrupted('leaves no process when it is interrupted twice', () =>
  withFolder(async (home) => {
    const stack = start(home, { TEMPORAL_STORE: 'memory' });
    await sleep(2_000);
    const exited = once(stack.child, 'exit');
    stack.child.kill('SIGINT');
    await sleep(800);
    stack.child.kill('SIGINT');
    assert.is.not((await exited)[0], 0);
    await noProcess(home);
  }),
);

Interrupted.run();
