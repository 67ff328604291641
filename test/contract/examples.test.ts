import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, issueServiceKey, type TestOrg } from './support/orgs.ts';
import { begin, finish, recordFamily, recordFindings } from './support/scans.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');
const goExample = join(project, 'docs/examples/go');

type Context = World & { org: TestOrg; env: NodeJS.ProcessEnv; coreAddress: string };
const test = suite('internal services and tools call core', {} as Context);

test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.coreAddress = new URL(context.coreUrl).host;
  const serviceKey = await issueServiceKey(context);
  const names = { CORE_ADDRESS: context.coreAddress, SERVICE_KEY: serviceKey, ORG_ID: context.org.orgId };
  context.env = { ...process.env, ...names };
  await run('npx', ['buf', 'generate'], { cwd: goExample, env: context.env });
});
test.after((context) => context.close());

/** The run that the org has started on a host, once it has. */
async function runOf({ rest, org }: Context, host: string): Promise<string> {
  for (;;) {
    const { body } = await rest('ScanService/ListScans', { host }, { key: org.key });
    const items = fieldOf(body, 'items');
    if (Array.isArray(items) && items.length > 0) return String(fieldOf(items[0], 'runId'));
    await sleep(200);
  }
}

/** Runs an example to its end while a worker finds what blocks, and completes the scan later. */
async function completeDuring(context: Context, host: string, example: Promise<{ stdout: string }>): Promise<string> {
  const runId = await Promise.race([runOf(context, host), example.then(({ stdout }) => stdout)]);
  await begin(context, runId);
  await recordFindings(context, runId, [{ severity: 'critical' }]);
  assert.is(await Promise.race([example, sleep(2_000, 'still waiting')]), 'still waiting');
  await recordFamily(context, runId);
  await finish(context, runId);
  return (await example).stdout;
}

test('a service in Node starts a scan and waits for its end', async (context) => {
  const host = 'node.example.com';
  const file = join(project, 'docs/examples/node/start-scan.ts');
  const example = run(process.execPath, [file, `https://${host}/`], { env: context.env });
  assert.match(
    await completeDuring(context, host, example),
    /started [\w-]+ of node\.example\.com\nVERDICT_FAIL - 1 verified finding /,
  );
});

test('a service in Go does the same', async (context) => {
  const host = 'go.example.com';
  const example = run('go', ['run', '.', `https://${host}/`], { cwd: goExample, env: context.env });
  assert.match(
    await completeDuring(context, host, example),
    /started [\w-]+ of go\.example\.com\nVERDICT_FAIL - 1 verified finding /,
  );
});

test('a service in Node gets the reason of its refusal, in the words of the service', async (context) => {
  const file = join(project, 'docs/examples/node/start-scan.ts');
  const example = run(process.execPath, [file, 'https://foreign.test/'], { env: context.env });
  const refused = await example.then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
  assert.match(refused, 'refused with PERMISSION_DENIED: ');
  assert.match(refused, 'POST /api/v1/domains {"domain": "foreign.test"}');
});

test('a service in Go gets the reason of its refusal', async (context) => {
  const refused = await run('go', ['run', '.', 'https://foreign.test/'], { cwd: goExample, env: context.env }).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
  assert.match(refused, /reason DOMAIN_NOT_VERIFIED/);
  assert.match(refused, /prove foreign\.test by one of \[dns-txt/);
});

test('grpcurl lists the services and calls one', async ({ coreAddress, env, operatorKey }) => {
  const grpcurl = (...args: string[]) =>
    run('go', ['tool', 'grpcurl', '-plaintext', ...args], { cwd: goExample, env }).then(({ stdout }) => stdout);
  const services = (await grpcurl(coreAddress, 'list')).trim().split('\n');
  assert.ok(services.includes('scanaudit.v1.ScanService'));
  assert.ok(services.includes('grpc.health.v1.Health'));
  assert.match(await grpcurl(coreAddress, 'describe', 'scanaudit.v1.ScanService.StartScan'), /StartScanRequest/);
  const key = ['-H', `authorization: Bearer ${operatorKey}`];
  const created = await grpcurl(
    ...key,
    '-d',
    '{"name":"By hand","plan":"team"}',
    coreAddress,
    'scanaudit.v1.OrgService/CreateOrg',
  );
  assert.is(JSON.parse(created).plan, 'team');
  assert.match(await grpcurl(coreAddress, 'grpc.health.v1.Health/Check'), /SERVING/);
});

test.run();
