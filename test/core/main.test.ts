import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../proto/gen/health/v1/health_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { further } from '../support/further.ts';
import { type TestDatabase, testDatabase } from '../support/servers.ts';

const main = new URL('../../core/main.ts', import.meta.url).pathname;
const run = promisify(execFile);

let database: TestDatabase;
let env: Record<string, string | undefined>;

const test = suite('core program');
test.before(async () => {
  database = await testDatabase();
  env = {
    ...process.env,
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    CORE_PORT: '0',
    OPERATIONS_PORT: '0',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  };
});
test.after(() => database.drop());

type Ready = { ready: string; port: number; operationsPort: number };

async function start(): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ready: JSON.parse(line) };
}

const failed = async (args: string[], settings: Record<string, string>) => {
  const result = await run(process.execPath, [main, ...args], { env: { ...env, ...settings } }).catch(
    (error: unknown) => error as { code: number; stderr: string },
  );
  assert.ok('code' in result, 'it did not fail');
  return result;
};

test('prints a first operator key alone, which then works', async () => {
  const { stdout } = await run(process.execPath, [main, 'issue-operator-key'], { env });
  assert.match(stdout, /^sa_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\n$/);
  const { child, ready } = await start();
  try {
    assert.is(ready.ready, 'core');
    const clients = rpcClients({ baseUrl: `http://127.0.0.1:${ready.port}`, key: stdout.trim() });
    assert.is((await clients(KeyService).listKeys({})).items.length, 1);
    assert.is((await clients(Health).check({})).status, Status.NOT_SERVING);
    const readiness = await fetch(`http://127.0.0.1:${ready.operationsPort}/readyz`);
    assert.is(readiness.status, 503);
    assert.match(await readiness.text(), 'temporal');
    const metrics = await fetch(`http://127.0.0.1:${ready.operationsPort}/metrics`);
    assert.match(await metrics.text(), 'scanaudit_rpc_duration_seconds_count{rpc="scanaudit.v1.KeyService/ListKeys"');
  } finally {
    child.kill('SIGTERM');
    assert.equal(await once(child, 'exit'), [0, null]);
  }
});

test('says what is wrong with its settings and stops', async () => {
  const { code, stderr } = await failed([], { DATABASE_URL: '', CORE_PORT: 'x' });
  assert.is(code, 1);
  assert.match(stderr, /DATABASE_URL: is not set/);
  assert.match(stderr, /CORE_PORT/);
  assert.not.match(stderr, / at /, 'without a stack');
});

test('refuses to work as a role that row level security does not bind', async () => {
  const { code, stderr } = await failed([], { DATABASE_URL: database.ownerUrl, DATABASE_OWNER_URL: '' });
  assert.is(code, 1);
  assert.match(stderr, 'owns tables');
});

test('encrypts what is stored anew, and says that there is nothing left for other keys', async () => {
  const { stdout } = await run(process.execPath, [main, 'rotate-encryption'], { env });
  assert.is(stdout, '0 secrets were encrypted anew with the key "test"; 0 had been before.\n');
});

further(test)('shows how it is used when it is not', async () => {
  const { code, stderr } = await failed(['nonsense'], {});
  assert.is(code, 2);
  assert.match(stderr, 'Usage:');
});

test.run();
