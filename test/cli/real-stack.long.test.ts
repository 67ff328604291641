import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { demoHost } from '../../dev/demo/identities.ts';
import { type RunningProgram, readyLine, startProgram } from '../../dev/process.ts';
import { createOrg } from '../contract/support/orgs.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { schemaErrors } from '../core/findings/sarif-schema.ts';
import { launcher, readJson } from './support.ts';
import { elementsOf } from './xml-elements.ts';

type Context = { folder: string; code: number | null; log: string };
const test = suite('a pipeline on a real stack', {} as Context);

/** Runs the pipeline against the real service with a real worker, and the demo shop as built and repaired. */
test.before(async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-pipeline-'));
  const world = await startWorld();
  const stalling = await listening();
  const programs: RunningProgram[] = [];
  const start = async (name: string, path: string, env: Record<string, string>) => {
    const logFile = join(folder, `${name}.log`);
    const args = [join(import.meta.dirname, '../..', path)];
    const program = await startProgram({ name, command: process.execPath, args, env: { ...own, ...env }, logFile });
    programs.push(program);
    return readyLine(program, logFile);
  };
  try {
    const shop = (patched: boolean) =>
      start(patched ? 'patched' : 'shop', 'dev/demo/main.ts', { DEMO_HOME: folder, DEMO_PATCHED: String(patched) });
    // The second one finds the authority that the first one has made.
    const [patched, vulnerable] = [Shop.parse(await shop(true)), Shop.parse(await shop(false))];
    await start('worker', 'workflows/main.ts', workerSettings(world, vulnerable.caFile));
    const domains = [demoHost];
    const variables = {
      NODE: process.execPath,
      SCAN_AUDIT: launcher,
      SCAN_AUDIT_API: world.baseUrl,
      KEY: (await createOrg(world, { domains })).key,
      KEY_WITHOUT_CREDIT: (await createOrg(world, { domains, credits: 0 })).key,
      PATCHED: patched.url,
      VULNERABLE: vulnerable.url,
      STALLING: `https://${demoHost}:${portOf(stalling)}/`,
      SILENT: `https://${demoHost}:${await unusedPort()}/`,
      NOWHERE: `http://127.0.0.1:${await unusedPort()}`,
      CI: 'true',
    };
    Object.assign(context, { folder, ...(await play(folder, { ...own, ...variables })) });
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    stalling.close();
    await world.close();
  }
});
test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

const Shop = z.object({ url: z.string(), caFile: z.string() });

/** What programs have of this process's environment. */
const own = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};

const workerSettings = (world: World, caFile: string) => ({
  CORE_URL: world.coreUrl,
  WORKER_KEY: world.workerKey,
  TEMPORAL_ADDRESS: world.temporalAddress,
  TASK_QUEUE_PREFIX: world.taskQueuePrefix,
  TARGET_ALLOW: `${demoHost}=127.0.0.0/8`,
  EXTRA_CA_FILE: caFile,
  REQUESTS_PER_SECOND: '500',
  LIBRARY_DATA_URL: 'off',
  OPERATIONS_PORT: '0',
  ...(process.env.CHROMIUM_PATH ? { CHROMIUM_PATH: process.env.CHROMIUM_PATH } : {}),
  ...(process.env.BROWSER_SANDBOX ? { BROWSER_SANDBOX: process.env.BROWSER_SANDBOX } : {}),
});

/** A server that takes connections, and does nothing with them. */
async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A port that something listened on a moment ago. */
async function unusedPort(): Promise<number> {
  const server = await listening();
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function play(cwd: string, env: Record<string, string>): Promise<Omit<Context, 'folder'>> {
  const script = join(import.meta.dirname, 'pipeline.sh');
  const child = spawn('sh', [script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [log, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, log: log + errors };
}

test('passes the repaired site, fails the vulnerable one, and reports each kind of trouble in one line', ({
  code,
  log,
}) => {
  assert.is(code, 0, log);
  assert.match(log, /^2\d steps, 0 wrong$/m);
});

const outcomes = {
  passed: { verdict: 'pass', failures: 0 },
  failed: { verdict: 'fail', failures: 2 },
} as const;
for (const [name, { verdict, failures }] of Object.entries(outcomes)) {
  test(`what the ${name} one wrote is valid SARIF, JUnit, JSON and HTML`, async ({ folder }) => {
    const sarif = await readJson(join(folder, `${name}.sarif`));
    assert.equal(schemaErrors(sarif), []);
    const json = await readJson(join(folder, `${name}.json`));
    assert.is(fieldOf(json, 'gate.verdict'), verdict);
    assert.is(listOf(sarif, 'runs.0.results').length, listOf(json, 'findings').length);
    const elements = elementsOf(await readFile(join(folder, `${name}.xml`), 'utf8'));
    const failed = elements.filter((element) => element.name === 'failure').length;
    assert.is(elements[0]?.attributes.failures, String(failed));
    assert.is(failed, failures === 0 ? 0 : 1 + listOf(json, 'gate.blocking').length);
    assert.is(elements.filter((element) => element.name === 'error').length, 0);
    assert.match(await readFile(join(folder, `${name}.html`), 'utf8'), /^<!doctype html>[\s\S]*<\/html>\s*$/);
  });
}

test.run();
