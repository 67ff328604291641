import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg } from '../contract/support/orgs.ts';
import { fieldOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { further } from '../support/further.ts';
import { runCli } from './support.ts';

const test = suite<World>('scan-audit admin', {} as World);
test.before(async (world) => {
  Object.assign(world, await startWorld());
});
test.after((world) => world.close());

const admin = (world: World, ...args: string[]) =>
  runCli(['admin', ...args], { env: { SCAN_AUDIT_CORE: world.coreUrl, SCAN_AUDIT_OPERATOR_KEY: world.operatorKey } });

async function succeed(world: World, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(world, ...args);
  assert.is(code, 0, stderr);
  return stdout;
}

further(test)('makes an org that can scan: plan, credit, domain and key', async (world) => {
  const org: unknown = JSON.parse(await succeed(world, 'org', 'create', 'Example Ltd', '--plan', 'business', '--json'));
  const orgId = String(fieldOf(org, 'orgId'));
  assert.match(
    await succeed(world, 'credits', 'grant', orgId, '9', '--reason', 'invoice 1'),
    '9 credits, and 0 on hold',
  );
  assert.match(
    await succeed(world, 'domain', 'approve', orgId, 'Example.com', '--subdomains'),
    'example.com and all below it',
  );
  const scopes = ['scans:read', 'scans:write'].flatMap((scope) => ['--scope', scope]);
  const secret = (
    await succeed(world, 'key', 'issue', '--kind', 'org', '--org', orgId, '--name', 'ci', ...scopes)
  ).trim();
  const started = await world.rest('ScanService/StartScan', { url: 'www.example.com' }, { key: secret });
  assert.is(started.reason, 'OK');
  const shown = await succeed(world, 'org', 'show', orgId);
  assert.match(shown, /^credit +8 \(1 on hold\)$/m);
  assert.match(shown, /^deep scans +yes$/m);
  assert.match(await succeed(world, 'org', 'list', '--limit', '1'), `${orgId}  Example Ltd  business`);
});

further(test)('grants once for an idempotency key', async (world) => {
  const { orgId } = await createOrg(world, { credits: 0 });
  const grant = ['credits', 'grant', orgId, '5', '--reason', 'x', '--idempotency-key', 'invoice-7'];
  await succeed(world, ...grant);
  assert.match(await succeed(world, ...grant), '5 credits');
});

test('lists keys and revokes one', async (world) => {
  const { orgId, key } = await createOrg(world);
  assert.match(
    await succeed(world, 'key', 'list', '--org', orgId),
    new RegExp(`^${key.slice(3, 11)}  org   test  live`, 'm'),
  );
  assert.match(await succeed(world, 'key', 'revoke', key.slice(3, 11)), 'is revoked');
  assert.match(await succeed(world, 'key', 'list', '--org', orgId), 'revoked');
  assert.is((await world.rest('ScanService/ListScans', {}, { key })).reason, 'INVALID_KEY');
  assert.match(await succeed(world, 'key', 'list'), / worker +test +live/);
});

further(test)('changes what a plan gives, and which one an org has', async (world) => {
  const { orgId } = await createOrg(world, { plan: 'free' });
  await succeed(world, 'plan', 'put', 'startup', '--api-access', '--starts-per-minute', '3');
  assert.match(await succeed(world, 'plan', 'list'), /^startup +yes +no +120 +600 +3 +50 +20 +365$/m);
  assert.match(await succeed(world, 'plan', 'set', orgId, 'startup'), /^plan +startup$/m);
});

test('withdraws a domain', async (world) => {
  const org = await createOrg(world);
  assert.match(await succeed(world, 'domain', 'withdraw', org.orgId, 'example.com'), 'may no longer scan example.com');
  assert.is((await world.rest('ScanService/StartScan', { url: 'example.com' }, org)).reason, 'DOMAIN_NOT_VERIFIED');
});

const line = /^error: [^\n]+\n$/;

further(test)('says what is wrong in one line, with exit code 1', async (world) => {
  const org = await createOrg(world);
  const good = { SCAN_AUDIT_CORE: world.coreUrl, SCAN_AUDIT_OPERATOR_KEY: world.operatorKey };
  for (const [args, env, expected] of [
    [['org', 'list'], {}, 'SCAN_AUDIT_CORE'],
    [['org', 'list'], { SCAN_AUDIT_CORE: world.coreUrl }, 'SCAN_AUDIT_OPERATOR_KEY'],
    [['org', 'list'], { ...good, SCAN_AUDIT_CORE: 'core' }, 'http://host:port'],
    [['org', 'list'], { ...good, SCAN_AUDIT_CORE: 'http://127.0.0.1:9' }, 'cannot be reached'],
    [['org', 'list'], { ...good, SCAN_AUDIT_OPERATOR_KEY: 'sa_typo' }, 'does not know this key'],
    [['org', 'list'], { ...good, SCAN_AUDIT_OPERATOR_KEY: org.key }, 'not an operator'],
    [['org', 'show', 'nobody'], good, 'There is no such org.'],
    [['org', 'create', 'x', '--plan', 'golden'], good, 'plan: use one of'],
    [['org', 'create', 'x'], good, '--plan'],
    [['credits', 'grant', org.orgId, '-5', '--reason', 'x'], good, 'option'],
    [['key', 'issue', '--kind', 'king', '--name', 'x'], good, 'Allowed choices'],
    [['key', 'issue', '--kind', 'org', '--org', org.orgId, '--name', 'x', '--scope', 'all'], good, 'may hold'],
    [['domain', 'approve', org.orgId, 'co.uk'], good, 'public suffix'],
  ] as const) {
    const { code, stdout, stderr } = await runCli(['admin', ...args], { env });
    assert.equal([code, stdout], [1, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, line);
    assert.match(stderr, expected);
  }
});

further(test)('prints the key alone, so that a script can take it, and JSON where it is asked for', async (world) => {
  const { stdout, stderr } = await admin(
    world,
    'key',
    'issue',
    '--kind',
    'service',
    '--name',
    'billing',
    '--scope',
    'credits:grant',
  );
  assert.match(stdout, /^sa_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\n$/);
  assert.match(stderr, 'the only time that it is shown');
  const json: unknown = JSON.parse(await succeed(world, 'key', 'list', '--json'));
  assert.ok(Array.isArray(fieldOf(json, 'items')));
});

test.run();
