import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, issueKey, type TestOrg } from '../contract/support/orgs.ts';
import { begin, complete, finish, recordFamily, recordFindings, start } from '../contract/support/scans.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { firstRows, further } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { type Ended, envOf, runCli, startCli, startedRun, workOn } from './support.ts';

type Context = World & { org: TestOrg };
const test = suite('scan-audit gate', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context, { credits: 10_000 });
});
test.after((world) => world.close());

const gate = (context: Context, args: string[], key = context.org.key): Promise<Ended> =>
  runCli(['gate', ...args], { env: envOf(context.baseUrl, key) });

/** One line, that is about this. */
function assertTrouble({ code, stdout, stderr }: Ended, about: string | RegExp): void {
  assert.is(code, 1, stderr);
  assert.is(stdout, '');
  assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', /^error: \S.*\.?$/);
  assert.match(stderr, about);
}

test('starts a scan, waits for its end, and passes with 0', async (context) => {
  const running = startCli(['gate', 'https://example.com/'], { env: envOf(context.baseUrl, context.org.key) });
  await workOn(context, await startedRun(running), { findings: [{ severity: 'medium' }] });
  const { code, stdout } = await running.ended;
  assert.is(code, 0);
  assert.match(stdout, /^PASS {2}No verified finding is high or worse\./);
  assert.match(stdout, 'verified findings: 1 medium');
});

test('fails with 2, and says what is where and what to do', async (context) => {
  const running = startCli(['gate', 'example.com'], { env: envOf(context.baseUrl, context.org.key) });
  await workOn(context, await startedRun(running), {
    findings: [{ severity: 'high', path: '/a' }, { severity: 'low' }],
  });
  const { code, stdout } = await running.ended;
  assert.is(code, 2);
  assert.match(stdout, /^FAIL {2}1 verified finding is high or worse\./);
  assert.match(stdout, /HIGH +Finding <b>high<\/b> at \/a\n/);
  assert.match(stdout, 'at   GET https://example.com/a, query parameter q\n');
  assert.match(stdout, 'fix  What to do.\n');
  assert.match(stdout, /id {3}headers\.hsts-missing [0-9a-f]{32}\n/);
  assert.not.match(stdout, 'Finding <b>low</b>');
  assert.match(stdout, 'scan-audit report');
});

further(test)('waits for the end of the scan, whatever was found on the way', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  await begin(context, runId);
  await recordFindings(context, runId, [{ severity: 'critical' }]);
  const running = startCli(['gate', '--run', runId], { env: envOf(context.baseUrl, org.key) });
  await eventually('the program has seen the finding', async () => /1 verified/.test(running.stderr()));
  assert.is(await Promise.race([running.ended, sleep(2_000, 'still waiting')]), 'still waiting');
  await recordFindings(context, runId, [{ severity: 'high', path: '/later' }]);
  await recordFamily(context, runId);
  await finish(context, runId);
  const { code, stdout } = await running.ended;
  assert.is(code, 2);
  assert.match(stdout, /^FAIL {2}2 verified findings are high or worse\./);
});

further(test)(
  '--until verdict fails with the first finding that blocks, and says that the scan goes on',
  async (context) => {
    const org = await createOrg(context);
    const runId = await start(context, org);
    await begin(context, runId);
    await recordFindings(context, runId, [{ severity: 'low' }]);
    const args = ['gate', '--run', runId, '--until', 'verdict'];
    const running = startCli(args, { env: envOf(context.baseUrl, org.key) });
    await eventually('the program has seen the finding', async () => /1 verified/.test(running.stderr()));
    await recordFindings(context, runId, [{ severity: 'critical' }]);
    const { code, stdout, stderr } = await running.ended;
    assert.is(code, 2);
    assert.match(stdout, /^FAIL {2}1 verified finding is high or worse\./);
    assert.match(stderr, `The scan goes on: cancel it with "scan-audit scans cancel ${runId}"`);
  },
);

further(test)('--until verdict passes a scan that has finished and has nothing that blocks', async (context) => {
  const runId = await complete(context, context.org, [{ severity: 'low' }]);
  assert.is((await gate(context, ['--run', runId, '--until', 'verdict'])).code, 0);
});

further(test)('measures against the threshold that is given', async (context) => {
  const runId = await complete(context, context.org, [{ severity: 'medium' }]);
  const codeAt = async (threshold: string) => (await gate(context, ['--run', runId, '--threshold', threshold])).code;
  assert.is(await codeAt('critical'), 0);
  assert.is(await codeAt('medium'), 2);
  assert.is(await codeAt('none'), 0);
});

further(test)("takes the org's policy without one", async (context) => {
  const org = await createOrg(context);
  await context.rest('OrgService/UpdateOrg', { gatePolicy: { threshold: 'low' } }, { key: org.key });
  const runId = await complete(context, org, [{ severity: 'low' }]);
  assert.is((await gate(context, ['--run', runId], org.key)).code, 2);
});

further(test)('takes a scan that runs, and starts no other', async (context) => {
  const org = await createOrg(context, { credits: 1 });
  const runId = await start(context, org);
  const running = startCli(['gate', '--run', runId], { env: envOf(context.baseUrl, org.key) });
  await workOn(context, runId);
  assert.is((await running.ended).code, 0);
  assert.not.match(running.stderr(), 'Started');
});

test('a scan that could not look at everything gives 1, and says at what', async (context) => {
  const runId = await start(context, context.org);
  await workOn(context, runId, { coverage: 'failed' });
  const { code, stdout } = await gate(context, ['--run', runId]);
  assert.is(code, 1);
  assert.match(stdout, /^INCONCLUSIVE/);
  assert.match(stdout, /not looked at: headers: the host stopped answering/);
  assert.match(stdout, 'scan again');
});

further(test)('a scan that failed gives 1, and says what to mend', async (context) => {
  const runId = await start(context, context.org);
  await begin(context, runId);
  await finish(context, runId, 'failed', { code: 'unreachable', detail: 'connection refused' });
  const { code, stdout } = await gate(context, ['--run', runId]);
  assert.is(code, 1);
  assert.match(stdout, 'The scan failed (unreachable: connection refused): make sure that example.com answers');
});

further(test)('a scan that was canceled gives 1', async (context) => {
  const runId = await start(context, context.org);
  await context.rest('ScanService/CancelScan', { runId }, { key: context.org.key });
  const { code, stdout } = await gate(context, ['--run', runId]);
  assert.is(code, 1);
  assert.match(stdout, 'The scan was canceled: start another one.');
});

test('gives up with 1 when the time is up, and says that the scan goes on', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  const startedAtMs = performance.now();
  assertTrouble(await gate(context, ['--run', runId, '--timeout', '2'], org.key), `scan-audit gate --run ${runId}`);
  assert.ok(performance.now() - startedAtMs < 8_000);
});

further(test)('fails with 2 when the time is up and something blocks already', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  await begin(context, runId);
  await recordFindings(context, runId, [{ severity: 'critical' }]);
  const { code, stdout, stderr } = await gate(context, ['--run', runId, '--timeout', '2'], org.key);
  assert.is(code, 2);
  assert.match(stdout, /CRITICAL +Finding/);
  assert.match(stderr, 'warning: The time is up before the scan has ended.');
});

further(test)('no key, a wrong key and a revoked key give 1', async (context) => {
  const { baseUrl } = context;
  assertTrouble(await runCli(['gate', 'example.com', '--api', baseUrl]), 'set SCAN_AUDIT_KEY to a key');
  assertTrouble(await gate(context, ['example.com'], 'sa_wrong'), 'API key was refused (401)');
  assertTrouble(await gate(context, ['example.com'], 'two words'), 'characters that no API key has');
});

further(test)('no credit gives 1, and says where there is some', async (context) => {
  const { key } = await createOrg(context, { credits: 0 });
  assertTrouble(
    await gate(context, ['example.com'], key),
    /No scan credit is left \(402\)\..*https:\/\/buy\.example\/credit/,
  );
});

further(test)('a domain that is not the org’s gives 1, and says what to do', async (context) => {
  assertTrouble(
    await gate(context, ['other.example']),
    /other\.example is not verified .*\(403\): register it with POST .*domains\/other\.example\/verify, then start the scan again/,
  );
});

further(test)('a plan without deep scans, and one without the API, give 1', async (context) => {
  const team = await createOrg(context, { plan: 'team' });
  assertTrouble(await gate(context, ['example.com', '--deep'], team.key), 'leave --deep out');
  const free = await createOrg(context, { plan: 'free' });
  assertTrouble(await gate(context, ['example.com'], free.key), 'does not include the API');
});

test('a key without the scope gives 1, and names the scope', async (context) => {
  const key = await issueKey(context, context.org.orgId, { scopes: ['scans:read'] });
  assertTrouble(await gate(context, ['example.com'], key), 'a key with the scope scans:write');
});

further(test)('a scan that is not there, or is another org’s, gives 1', async (context) => {
  const other = await createOrg(context);
  const runId = await complete(context, other);
  for (const id of [runId, '01890000-0000-7000-8000-000000000000', '../..', 'x y'])
    assertTrouble(await gate(context, ['--run', id]), 'no such scan');
});

further(test)('a URL that cannot be audited gives 1, with the service’s words', async (context) => {
  assertTrouble(await gate(context, ['ftp://example.com']), /https.*\(400, invalid_url\)/);
});

const wrong: [args: string[], about: string | RegExp][] = [
  [[], 'one of the two'],
  [['example.com', '--run', 'x'], 'one of the two'],
  [[''], 'is empty'],
  [['--run', 'x', '--deep'], 'leave it out with --run'],
  [['--run', 'x', '--timeout', '0'], 'whole number'],
  [['--run', 'x', '--timeout', '1.5'], 'whole number'],
  [['--run', 'x', '--threshold', 'hgih'], 'Allowed choices'],
  [['--run', 'x', '--until', 'end'], 'Allowed choices are completed, verdict'],
  [['--run', 'x', '--key', 'sa_1'], "unknown option '--key'"],
  [['example.com', 'two.example'], 'too many arguments'],
  [['example.com', '--api', 'audit.example.com'], 'begin it with https://'],
  [['example.com', '--api', 'https://me:secret@audit.example.com'], 'Leave user name and password out'],
];
for (const [args, about] of firstRows(wrong, 2)) {
  test(`a wrong command line gives 1: gate ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await runCli(['gate', ...args], { env: envOf('http://127.0.0.1:1', 'k') });
    assert.is(code, 1);
    assert.is(stdout, '');
    assert.match(stderr, about);
  });
}

test('writes nothing but plain lines into a pipe', async (context) => {
  const runId = await complete(context, context.org);
  const { stdout, stderr } = await gate(context, ['--run', runId]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  assert.not.match(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(stderr, /^100 % {2}done, 0 verified, 3 requests, \d+ s\n/m);
});

test.run();
