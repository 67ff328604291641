import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { completeDuring, type ExampleContext, startExamples } from '../contract/support/examples.ts';

const run = promisify(execFile);
const goExample = join(import.meta.dirname, '../../docs/examples/go');

const test = suite('services in Go, and grpcurl, call core', {} as ExampleContext);

test.before(async (context) => {
  Object.assign(context, await startExamples());
  await run('npx', ['buf', 'generate'], { cwd: goExample, env: context.env });
});
test.after((context) => context.close());

test('a service in Go does the same', async (context) => {
  const host = 'go.example.com';
  const example = run('go', ['run', '.', `https://${host}/`], { cwd: goExample, env: context.env });
  assert.match(
    await completeDuring(context, host, example),
    /started [\w-]+ of go\.example\.com\nVERDICT_FAIL - 1 verified finding /,
  );
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
