import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { complete, start } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { withFolder } from '../support/folder.ts';
import { firstRows, further } from '../support/further.ts';
import { type Ended, envOf, readJson, runCli, workOn } from './support.ts';

type Context = World & { org: TestOrg };
const test = suite('scan-audit gate for what is new', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.before.each(async (context) => {
  context.org = await createOrg(context);
});
test.after((world) => world.close());

const gate = ({ baseUrl, org }: Context, args: string[], cwd?: string): Promise<Ended> =>
  runCli(['gate', ...args], { env: envOf(baseUrl, org.key), ...(cwd !== undefined && { cwd }) });

const old = { severity: 'high', path: '/old' };
const fresh = { severity: 'high', path: '/fresh' };

/** One line, that is about this. */
function assertTrouble({ code, stdout, stderr }: Ended, about: string | RegExp): void {
  assert.is(code, 1, stderr);
  assert.is(stdout, '');
  assert.match(stderr, about);
  assert.match(stderr, /^error: [^\n]+\n$/);
}

test('--scope new passes what the scan before has found, and fails for the rest', async (context) => {
  await complete(context, context.org, [old]);
  const same = await complete(context, context.org, [old]);
  const passed = await gate(context, ['--run', same, '--scope', 'new']);
  assert.is(passed.code, 0, passed.stderr);
  assert.match(passed.stdout, /^PASS {2}No new verified finding is high or worse\./);
  assert.match(passed.stdout, 'compared with the completed scan of this host and depth before it');
  const more = await complete(context, context.org, [old, fresh]);
  const failed = await gate(context, ['--run', more, '--scope', 'new']);
  assert.is(failed.code, 2);
  assert.match(failed.stdout, /^FAIL {2}1 new verified finding is high or worse\./);
  assert.match(failed.stdout, 'at /fresh');
  assert.not.match(failed.stdout, 'at /old');
  assert.is((await gate(context, ['--run', same, '--scope', 'all'])).code, 2);
});

further(test)('--baseline names the scan to compare with, and means what is new', async (context) => {
  const first = await complete(context, context.org, [old]);
  await complete(context, context.org, []);
  const last = await complete(context, context.org, [old]);
  assert.is((await gate(context, ['--run', last, '--scope', 'new'])).code, 2);
  const { code, stdout } = await gate(context, ['--run', last, '--baseline', first]);
  assert.is(code, 0);
  assert.match(stdout, `compared with ${first} of example.com`);
});

further(test)('the files say which findings are new: those that block', (context) =>
  withFolder(async (folder) => {
    const first = await complete(context, context.org, [old]);
    const last = await complete(context, context.org, [old, fresh]);
    const args = ['--run', last, '--baseline', first, '--json', 'scan.json', '--junit', 'scan.xml'];
    assert.is((await gate(context, args, folder)).code, 2);
    const json = await readJson(join(folder, 'scan.json'));
    assert.is(fieldOf(json, 'gate.scope'), 'new');
    assert.is(listOf(json, 'gate.blocking').length, 1);
    assert.is(listOf(json, 'findings').length, 2);
  }),
);

further(test)(
  'a baseline that is not there, or has not completed, is reported before a scan is paid for',
  async (context) => {
    const stranger = await createOrg(context);
    const theirs = await complete(context, stranger);
    for (const id of [theirs, '01890000-0000-7000-8000-000000000000', 'x'])
      assertTrouble(
        await gate(context, ['example.com', '--baseline', id]),
        /no such scan .*check the run id of --baseline/,
      );
    const queued = await start(context, context.org);
    assertTrouble(
      await gate(context, ['example.com', '--baseline', queued]),
      'The scan of --baseline is queued: name one',
    );
    const listed = await context.rest('ScanService/ListScans', {}, { key: context.org.key });
    assert.is(listOf(listed.body, 'items').length, 1);
  },
);

further(test)(
  'a baseline may be of another host, for instance the one before deployment, and is named',
  async (context) => {
    const other = await complete(context, context.org, [old], { url: 'www.example.com' });
    const last = await complete(context, context.org, [old]);
    const { code, stdout } = await gate(context, ['--run', last, '--baseline', other]);
    assert.is(code, 0);
    assert.match(stdout, `compared with ${other} of www.example.com`);
  },
);

further(test)('when the time is up, what is new may block already', async (context) => {
  const first = await complete(context, context.org, [old]);
  const running = await start(context, context.org);
  await context.work('RunService/BeginRun', { runId: running });
  const late = await gate(context, ['--run', running, '--baseline', first, '--timeout', '2']);
  assertTrouble({ ...late, stderr: `${late.stderr.trimEnd().split('\n').at(-1)}\n` }, 'Allow more with --timeout.');
  await workOn(context, running, { findings: [old] });
  assert.is((await gate(context, ['--run', running, '--baseline', first])).code, 0);
});

const run = '01890000-0000-7000-8000-000000000000';
const wrong: [args: string[], about: string][] = [
  [['--run', run, '--scope', 'news'], 'Allowed choices are all, new.'],
  [['--run', run, '--scope', 'all', '--baseline', 'x'], 'leave one of the two out'],
  [['--run', run, '--baseline', run], 'no scan has anything new'],
  [['--run', run, '--baseline', ''], 'is empty'],
];
for (const [args, about] of firstRows(wrong, 2)) {
  test(`a wrong command line gives 1 in one line: gate ${args.join(' ')}`, async () => {
    assertTrouble(await runCli(['gate', ...args]), about);
  });
}

test.run();
