import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { begin, complete, finish, start } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { type Ended, envOf, launcher, ownEnv, runCli, startCli, workOn } from './support.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('scan-audit scans, findings and report', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [{ severity: 'high', path: '/a' }, { severity: 'low' }]);
});
test.after((world) => world.close());

const ask = ({ baseUrl, org }: Context, args: string[], cwd?: string): Promise<Ended> =>
  runCli(args, { env: envOf(baseUrl, org.key), ...(cwd !== undefined && { cwd }) });

async function succeed(context: Context, args: string[], cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await ask(context, args, cwd);
  assert.is(code, 0, stderr);
  return stdout;
}

further(test)('scans list shows the newest scans as a table, or as JSON', async (context) => {
  const [heading = '', first = ''] = (await succeed(context, ['scans', 'list'])).split('\n');
  assert.match(heading, /^RUN ID +STATUS +DEPTH +CREATED \(UTC\) +HOST +FINDINGS$/);
  assert.match(first, new RegExp(`^${context.runId}  completed  standard  .*  example\\.com  1 high, 1 low$`));
  const json: unknown = JSON.parse(await succeed(context, ['scans', 'list', '--json']));
  assert.is(fieldOf(json, '0.runId'), context.runId);
  assert.ok(fieldOf(json, '0.coverage.families.0.checks'), 'what this program does not read is kept');
});

further(test)('scans list filters, follows pages up to its limit, and says when there is nothing', async (context) => {
  const org = await createOrg(context, { credits: 200 });
  for (let count = 0; count < 103; count += 1) await start(context, org);
  const idsOf = async (...args: string[]) =>
    listOf({ items: JSON.parse(await succeed({ ...context, org }, ['scans', 'list', '--json', ...args])) }, 'items')
      .length;
  assert.is(await idsOf(), 20);
  assert.is(await idsOf('--limit', '102'), 102);
  assert.is(await idsOf('--limit', '500'), 103);
  assert.is(await idsOf('--status', 'completed'), 0);
  assert.is(await idsOf('--host', 'example.com', '--depth', 'standard', '--limit', '5'), 5);
  assert.is(await succeed({ ...context, org }, ['scans', 'list', '--depth', 'deep']), 'There are no such scans.\n');
});

further(test)('scans show shows one scan, or its JSON', async (context) => {
  const shown = await succeed(context, ['scans', 'show', context.runId]);
  assert.match(shown, /^status +completed$/m);
  assert.match(shown, /^findings +1 high, 1 low$/m);
  assert.match(shown, /^coverage +Complete\.$/m);
  const json: unknown = JSON.parse(await succeed(context, ['scans', 'show', context.runId, '--json']));
  assert.is(fieldOf(json, 'status'), 'completed');
});

further(test)('scans watch waits for the end: 0 when it completes, 1 when not', async (context) => {
  const org = await createOrg(context);
  const env = envOf(context.baseUrl, org.key);
  const runId = await start(context, org);
  const watching = startCli(['scans', 'watch', runId], { env });
  await eventually('it waits', async () => /waiting for its turn/.test(watching.stderr()));
  await workOn(context, runId);
  const { code, stdout } = await watching.ended;
  assert.is(code, 0);
  assert.match(stdout, /^status +completed$/m);
  const failing = await start(context, org);
  await begin(context, failing);
  await finish(context, failing, 'failed', { code: 'dns_failed', detail: '' });
  const failed = await runCli(['scans', 'watch', failing, '--json'], { env });
  assert.is(failed.code, 1);
  assert.is(fieldOf(JSON.parse(failed.stdout), 'failure.code'), 'dns_failed');
});

test('scans cancel cancels, and says so of one that has ended', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  assert.is(await succeed({ ...context, org }, ['scans', 'cancel', runId]), `Canceled scan ${runId} of example.com.\n`);
  const again = await ask({ ...context, org }, ['scans', 'cancel', runId]);
  assert.is(again.code, 1);
  assert.is(again.stderr, 'error: The scan is canceled already: there is nothing to cancel.\n');
  const running = await start(context, org);
  await begin(context, running);
  const json: unknown = JSON.parse(await succeed({ ...context, org }, ['scans', 'cancel', running, '--json']));
  assert.is(fieldOf(json, 'status'), 'running');
});

test('findings lists the worst first, or JSON with proofs', async (context) => {
  const shown = await succeed(context, ['findings', context.runId]);
  assert.match(shown, /HIGH[\s\S]*at {3}GET https:\/\/example\.com\/a[\s\S]*fix {2}What to do\.[\s\S]*LOW/);
  const json: unknown = JSON.parse(
    await succeed(context, ['findings', context.runId, '--json', '--min-severity', 'high']),
  );
  assert.is(listOf({ items: json }, 'items').length, 1);
  assert.ok(fieldOf(json, '0.proof.steps.0.observation.summary'));
  const none = await succeed(context, ['findings', context.runId, '--min-severity', 'critical']);
  assert.is(none, 'No verified finding is critical or worse.\n');
});

further(test)('findings and report of a scan that has not ended give 1, and say how to wait', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  for (const command of ['findings', 'report']) {
    const { code, stderr } = await ask({ ...context, org }, [
      command,
      runId,
      ...(command === 'report' ? ['-o', '-'] : []),
    ]);
    assert.is(code, 1);
    assert.match(stderr, 'error: The scan is queued: wait for its end with "scan-audit scans watch"');
  }
});

further(test)('report saves the page, under a name of its own, the one given, or to standard output', (context) =>
  withFolder(async (folder) => {
    const name = `scan-audit-report-${context.runId}.html`;
    assert.is(await succeed(context, ['report', context.runId], folder), `Wrote the report to ${name}\n`);
    assert.is(
      await succeed(context, ['report', context.runId, '-o', 'mine.html'], folder),
      'Wrote the report to mine.html\n',
    );
    assert.equal((await readdir(folder)).sort(), ['mine.html', name].sort());
    const page = await readFile(join(folder, 'mine.html'), 'utf8');
    assert.match(page, /^<!doctype html>/i);
    assert.is(await succeed(context, ['report', context.runId, '-o', '-']), page);
    const json: unknown = JSON.parse(await succeed(context, ['report', context.runId, '--json'], folder));
    assert.equal(json, { runId: context.runId, file: name, bytes: Buffer.byteLength(page) });
  }),
);

further(test)('every command has a help text, on standard output and with 0', async () => {
  const commands = [
    '',
    'gate',
    'scans',
    'scans list',
    'scans show',
    'scans watch',
    'scans cancel',
    'findings',
    'report',
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await runCli([...command.split(' ').filter(Boolean), '--help']);
    assert.is(code, 0, command);
    assert.match(stdout, `Usage: scan-audit ${command}`.trim());
    assert.is(stderr, '');
  }
});

test('a mistyped command, or none, gives 1 and what was meant', async () => {
  const mistyped = await runCli(['gaet', 'example.com']);
  assert.is(mistyped.code, 1);
  assert.match(mistyped.stderr, 'Did you mean gate?');
  const none = await runCli([]);
  assert.is(none.code, 1);
  assert.match(none.stderr, 'Usage: scan-audit');
});

further(test)('a reader that has had enough is no fault', async ({ baseUrl, org }) => {
  const env = { ...ownEnv, ...envOf(baseUrl, org.key) };
  const line = '{ "$0" "$1" scans list --json; echo "ended with $?" >&2; } | true';
  const child = spawn('sh', ['-c', line, process.execPath, launcher], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  assert.is(await text(child.stderr), 'ended with 0\n');
});

test.run();
