import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { begin, complete, finish, start } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { schemaErrors } from '../core/findings/sarif-schema.ts';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';
import { type Ended, envOf, readJson, runCli, workOn } from './support.ts';
import { elementsOf } from './xml-elements.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('files of scan-audit gate', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  const findings = [{ severity: 'high', path: '/a' }, { severity: 'high', path: '/b' }, { severity: 'low' }];
  context.runId = await complete(context, context.org, findings);
});
test.after((world) => world.close());

const gate = ({ baseUrl, org }: Context, args: string[], cwd?: string): Promise<Ended> =>
  runCli(['gate', ...args], { env: envOf(baseUrl, org.key), ...(cwd !== undefined && { cwd }) });

test('writes SARIF, JUnit, JSON and the report at once', (context) =>
  withFolder(async (folder) => {
    const args = ['--sarif', 'scan.sarif', '--junit', 'scan.xml', '--json', 'scan.json', '--html', 'scan.html'];
    const { code, stderr } = await gate(context, ['--run', context.runId, ...args], folder);
    assert.is(code, 2, stderr);
    assert.equal((await readdir(folder)).sort(), ['scan.html', 'scan.json', 'scan.sarif', 'scan.xml']);
    const sarif = await readJson(join(folder, 'scan.sarif'));
    assert.equal(schemaErrors(sarif), []);
    assert.is(listOf(sarif, 'runs.0.results').length, 3);
    const json = await readJson(join(folder, 'scan.json'));
    assert.is(fieldOf(json, 'gate.verdict'), 'fail');
    assert.is(fieldOf(json, 'scan.runId'), context.runId);
    assert.is(listOf(json, 'findings').length, 3);
    assert.ok(fieldOf(json, 'findings.0.proof.steps.0.http'), 'what this program does not read is kept');
    assert.match(await readFile(join(folder, 'scan.html'), 'utf8'), /^<!doctype html>/i);
  }));

further(test)('JUnit: a failure for the gate and for each finding that blocks, none for the others', (context) =>
  withFolder(async (folder) => {
    await gate(context, ['--run', context.runId, '--junit', 'scan.xml'], folder);
    const elements = elementsOf(await readFile(join(folder, 'scan.xml'), 'utf8'));
    const named = (name: string) => elements.filter((element) => element.name === name);
    const { tests, failures, errors, skipped } = named('testsuites')[0]?.attributes ?? {};
    assert.equal({ tests, failures, errors, skipped }, { tests: '4', failures: '3', errors: '0', skipped: '0' });
    assert.equal(
      named('testsuite').map(({ attributes }) => attributes.name),
      ['gate', 'headers'],
    );
    const names = named('testcase').map(({ attributes }) => `${attributes.classname}.${attributes.name}`);
    assert.is(new Set(names).size, names.length);
    const failure = named('failure').at(-1);
    assert.match(failure?.attributes.message ?? '', /^high: Finding <b>high<\/b> at \/[ab] \(GET https:/);
    assert.match(failure?.text ?? '', 'To fix it: What to do.');
    assert.match(failure?.text ?? '', "To see it: curl -sSI 'https://example.com/");
  }),
);

test('JUnit: what could not be looked at is an error, and so is the gate', (context) =>
  withFolder(async (folder) => {
    const runId = await start(context, context.org);
    await workOn(context, runId, { coverage: 'failed' });
    assert.is((await gate(context, ['--run', runId, '--junit', 'scan.xml'], folder)).code, 1);
    const elements = elementsOf(await readFile(join(folder, 'scan.xml'), 'utf8'));
    const { failures, errors } = elements[0]?.attributes ?? {};
    assert.equal({ failures, errors }, { failures: '0', errors: '3' });
    assert.match(elements.find(({ name }) => name === 'error')?.text ?? '', 'did not look at everything');
  }));

further(test)('of a scan that failed there is JUnit and JSON, and a warning for the rest', (context) =>
  withFolder(async (folder) => {
    const runId = await start(context, context.org);
    await begin(context, runId);
    await finish(context, runId, 'failed', { code: 'unreachable', detail: '' });
    const args = ['--sarif', 'scan.sarif', '--junit', 'scan.xml', '--json', 'scan.json'];
    const { code, stderr } = await gate(context, ['--run', runId, ...args], folder);
    assert.is(code, 1);
    assert.match(stderr, 'warning: scan.sarif was not written: the scan is failed');
    assert.equal((await readdir(folder)).sort(), ['scan.json', 'scan.xml']);
    assert.is(elementsOf(await readFile(join(folder, 'scan.xml'), 'utf8'))[0]?.attributes.errors, '1');
  }),
);

further(test)('"-" is standard output, which then has nothing else', async (context) => {
  const { code, stdout, stderr } = await gate(context, ['--run', context.runId, '--json', '-']);
  assert.is(code, 2);
  assert.is(fieldOf(JSON.parse(stdout), 'gate.verdict'), 'fail');
  assert.match(stderr, /^FAIL {2}/m);
  const both = await gate(context, ['--run', context.runId, '--json', '-', '--sarif', '-']);
  assert.is(both.code, 1);
  assert.match(both.stderr, 'Only one of the results');
});

test('finds out before a scan is paid for that a file cannot be written', (context) =>
  withFolder(async (folder) => {
    const org = await createOrg(context, { credits: 1 });
    await mkdir(join(folder, 'taken'));
    for (const [args, about] of [
      [['--json', 'missing/scan.json'], 'cannot be written (ENOENT)'],
      [['--sarif', 'taken'], 'is a folder'],
      [['--sarif', 'one', '--json', 'one'], 'same file'],
    ] as const) {
      const { code, stderr } = await gate({ ...context, org }, ['example.com', ...args], folder);
      assert.is(code, 1);
      assert.match(stderr, about);
    }
    const listed = await context.rest('ScanService/ListScans', {}, { key: org.key });
    assert.equal(listOf(listed.body, 'items'), []);
  }));

further(test)('texts of a hostile host stay texts: on the terminal, in XML and in SARIF', (context) =>
  withFolder(async (folder) => {
    const runId = await start(context, context.org);
    await begin(context, runId);
    const hostile =
      '\u001b[2J\u001b]0;owned\u0007\r\n::error::owned\n##[error]owned \u202e]]><x a="1">&amp;\u0085\ufffe';
    const location = { url: `https://example.com/${hostile}`, method: 'GET', parameter: hostile, parameterIn: 'query' };
    const step = { http: { method: 'GET', url: 'https://example.com/' }, note: hostile };
    const proof = {
      verifiedAt: '2026-01-31T12:00:00Z',
      steps: [step],
      control: [step],
      curl: hostile,
      trials: 2,
    };
    const finding = {
      ...{ checkId: 'headers.hsts-missing', title: hostile, severity: 'high', fingerprint: '0'.repeat(32), proof },
      ...{ category: 'headers', location, locations: [location], description: hostile, remediation: hostile },
    };
    assert.is((await context.work('RunService/RecordFindings', { runId, findings: [finding] })).reason, 'OK');
    await finish(context, runId);
    const args = ['--run', runId, '--junit', 'scan.xml', '--sarif', 'scan.sarif'];
    const { code, stdout, stderr } = await gate(context, args, folder);
    assert.is(code, 2, stderr);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    assert.not.match(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##\[/m);
    assert.match(stdout, '\\u{1b}[2J');
    const xml = elementsOf(await readFile(join(folder, 'scan.xml'), 'utf8'));
    assert.not(xml.some(({ name }) => name === 'x'));
    assert.equal(schemaErrors(await readJson(join(folder, 'scan.sarif'))), []);
  }),
);

test.run();
