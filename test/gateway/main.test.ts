import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Health, HealthCheckResponse_ServingStatus } from '../../proto/gen/health/v1/health_pb.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { startCore } from './support.ts';

const test = suite('gateway/main.ts');
const program = join(import.meta.dirname, '../../gateway/main.ts');

function run(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [program], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function readyLine(child: ChildProcess): Promise<{ ready: string; port: number; operationsPort: number }> {
  if (!child.stdout) throw new Error('the program has no output');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return JSON.parse(String(line));
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? (await once(child, 'exit'))[0];
}

test('says where it listens, serves, and ends on SIGTERM after the requests in progress', async () => {
  const core = await startCore((router) => {
    router.service(Health, { check: () => ({ status: HealthCheckResponse_ServingStatus.SERVING }) });
    router.service(ScanService, {
      getScan: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return { runId: 'late' };
      },
    });
  });
  const child = run({ CORE_URL: core.baseUrl, GATEWAY_PORT: '0', OPERATIONS_PORT: '0' });
  try {
    const { ready, port, operationsPort } = await readyLine(child);
    assert.is(ready, 'gateway');
    const operations = `http://127.0.0.1:${operationsPort}`;
    assert.is((await fetch(`${operations}/healthz`)).status, 200);
    assert.is((await fetch(`${operations}/readyz`)).status, 200);
    const inHand = fetch(`http://127.0.0.1:${port}/api/v1/scans/a`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGTERM');
    assert.is(((await (await inHand).json()) as { runId: string }).runId, 'late');
    assert.is(await exitCode(child), 0);
  } finally {
    child.kill('SIGKILL');
    await core.stop();
  }
});

test('is not ready while core cannot be reached, and measures its requests', async () => {
  const child = run({ CORE_URL: 'http://127.0.0.1:1', GATEWAY_PORT: '0', OPERATIONS_PORT: '0' });
  try {
    const { port, operationsPort } = await readyLine(child);
    const operations = `http://127.0.0.1:${operationsPort}`;
    const ready = await fetch(`${operations}/readyz`);
    assert.is(ready.status, 503);
    assert.equal(((await ready.json()) as { missing: object }).missing, { core: 'cannot be reached' });
    assert.is((await fetch(`http://127.0.0.1:${port}/api/v1/scans`)).status, 503);
    const metrics = await (await fetch(`${operations}/metrics`)).text();
    assert.match(metrics, 'gateway_request_duration_seconds_count{method="GET",route="/api/v1/scans",status="503"} 1');
  } finally {
    child.kill('SIGKILL');
  }
});

test('says to operators when TLS is why core cannot be reached', async () => {
  const core = await startCore(() => {});
  const coreUrl = core.baseUrl.replace('http:', 'https:');
  const child = run({ CORE_URL: coreUrl, GATEWAY_PORT: '0', OPERATIONS_PORT: '0' });
  try {
    const { operationsPort } = await readyLine(child);
    const ready = await fetch(`http://127.0.0.1:${operationsPort}/readyz`);
    const { missing } = (await ready.json()) as { missing: { core: string } };
    assert.match(missing.core, /^cannot be reached: no TLS with core: it does not speak TLS/);
  } finally {
    child.kill('SIGKILL');
    await core.stop();
  }
});

test('refuses a wrong setting by its name, without a stack', async () => {
  const child = run({ GATEWAY_PORT: 'http', CORE_URL: 'nowhere' });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  assert.is(await exitCode(child), 1);
  assert.match(said, 'GATEWAY_PORT');
  assert.match(said, 'CORE_URL');
  assert.not.match(said, '    at ');
});

test.run();
