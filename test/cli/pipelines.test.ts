import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { z } from 'zod';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { complete } from '../contract/support/scans.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { withFolder } from '../support/folder.ts';
import { firstRows, further } from '../support/further.ts';
import { envOf, launcher, ownEnv } from './support.ts';

const project = resolve(dirname(launcher), '..');

const Action = z.object({
  inputs: z.record(z.string(), z.object({ required: z.boolean().optional(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({
    steps: z.array(
      z.object({
        id: z.string().optional(),
        run: z.string().optional(),
        shell: z.string().optional(),
        uses: z.string().optional(),
        if: z.string().optional(),
        env: z.record(z.string(), z.string()).default({}),
      }),
    ),
  }),
});
const Pipeline = z.object({
  '.scan-audit': z.object({
    variables: z.record(z.string(), z.string()),
    before_script: z.array(z.string()),
    script: z.array(z.string()),
    artifacts: z.object({ when: z.literal('always'), reports: z.object({ junit: z.string() }) }),
  }),
});
const read = async (path: string): Promise<unknown> => parse(await readFile(join(project, path), 'utf8'));

type Context = World & { org: TestOrg; runId: string };
const test = suite('pipelines', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [{ severity: 'high' }]);
});
test.after((world) => world.close());

type Step = { code: number | null; log: string };

/** Runs a script as a runner does: with a shell that stops at the first command that fails. */
function runScript(shell: string[], script: string, cwd: string, env: Record<string, string>): Promise<Step> {
  const [program = '', ...options] = shell;
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(program, [...options, '-c', script], { cwd, env: { ...ownEnv, PATH: path, ...env } });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  return new Promise((done) => child.once('close', (code) => done({ code, log })));
}

/** Runs the action's own steps with its inputs, as GitHub's runner does. */
async function runAction(given: Record<string, string>, folder: string) {
  const { inputs, runs } = Action.parse(await read('action.yml'));
  const outputs: Record<string, Record<string, string>> = {};
  const lookUp = (expression: string): string => {
    const [kind, name = '', , output = ''] = expression.split('.');
    return (kind === 'inputs' ? (given[name] ?? inputs[name]?.default) : outputs[name]?.[output]) ?? '';
  };
  const fill = (text: string) => text.replace(/\$\{\{ *(\S+) *\}\}/g, (_, expression) => lookUp(expression));
  const steps: Step[] = [];
  for (const { id = '', run, shell, env } of runs.steps.filter(({ run }) => run !== undefined)) {
    assert.is(shell, 'bash');
    const file = join(folder, `output-${randomUUID()}`);
    const variables = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)]));
    const runner = { GITHUB_ACTION_PATH: project, GITHUB_OUTPUT: file, RUNNER_TEMP: folder, CI: 'true' };
    const bash = ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail'];
    const step = await runScript(bash, run ?? '', folder, { ...variables, ...runner });
    steps.push(step);
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    outputs[id] = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    if (step.code !== 0) break;
  }
  return { code: steps.at(-1)?.code, log: steps.map(({ log }) => log).join(''), outputs: outputs.gate ?? {} };
}

const access = ({ baseUrl, org }: Context) => ({ api: baseUrl, key: org.key });

test('the action fails with the gate, and gives verdict, run id and files', (context) =>
  withFolder(async (folder) => {
    const { code, log, outputs } = await runAction({ ...access(context), run: context.runId }, folder);
    assert.is(code, 2, log);
    assert.equal(outputs, {
      'exit-code': '2',
      verdict: 'fail',
      'run-id': context.runId,
      sarif: 'scan-audit/scan-audit.sarif',
    });
    const files = await readdir(join(folder, 'scan-audit'));
    assert.equal(
      files.sort(),
      ['html', 'json', 'sarif', 'xml'].map((type) => `scan-audit.${type}`),
    );
    assert.match(log, /^FAIL /m);
    assert.not.match(log, context.org.key);
  }));

further(test)('the action passes its inputs on', (context) =>
  withFolder(async (folder) => {
    const inputs = { ...access(context), run: context.runId, threshold: 'critical', timeout: '60', folder: 'a b' };
    const { code, log, outputs } = await runAction(inputs, folder);
    assert.is(code, 0, log);
    assert.is(outputs.verdict, 'pass');
    assert.ok((await readdir(join(folder, 'a b'))).includes('scan-audit.xml'));
    const later = await complete(context, context.org, [{ severity: 'high' }]);
    const known = await runAction({ ...access(context), run: later, scope: 'new', baseline: context.runId }, folder);
    assert.is(known.code, 0, known.log);
    assert.match(known.log, `compared with ${context.runId}`);
    const mistyped = await runAction({ ...access(context), run: later, until: 'end' }, folder);
    assert.match(mistyped.log, 'Allowed choices are completed, verdict');
    const deep = await runAction({ ...access(context), url: 'other.example', deep: 'true' }, folder);
    assert.is(deep.code, 1);
    assert.match(deep.log, 'other.example is not verified');
    assert.equal(deep.outputs, { 'exit-code': '1' });
  }),
);

further(test)('nothing in an input becomes a command or an option', (context) =>
  withFolder(async (folder) => {
    const urls = ['$(touch owned)', '"; touch owned; "', '--run=x', '`touch owned`', "'; touch owned #"];
    for (const url of firstRows(urls, 3)) {
      const { code, outputs } = await runAction({ ...access(context), url, threshold: '"; touch owned #' }, folder);
      assert.is(code, 1, url);
      assert.equal(outputs, { 'exit-code': '1' });
      const { log } = await runAction({ ...access(context), url }, folder);
      assert.match(log, 'invalid_url', url);
    }
    assert.not((await readdir(folder)).includes('owned'));
  }),
);

test('the action’s scripts take no input but through variables, and its outputs come from steps that are there', async () => {
  const { inputs, outputs, runs } = Action.parse(await read('action.yml'));
  for (const { run = '' } of runs.steps) assert.not.match(run, '${{');
  const used = runs.steps.flatMap(({ env, if: condition = '' }) => [...Object.values(env), condition]).join(' ');
  for (const name of Object.keys(inputs)) assert.match(used, `inputs.${name}`);
  const ids = runs.steps.map(({ id }) => id);
  for (const { value } of Object.values(outputs)) assert.ok(ids.includes(value.split('.')[1]), value);
});

further(test)('GitLab’s job runs the gate, and keeps its JUnit file', (context) =>
  withFolder(async (folder) => {
    const job = Pipeline.parse(await read('docs/ci/gitlab.yml'))['.scan-audit'];
    // The checkout that the job's first steps make.
    await mkdir(join(folder, 'work'));
    await symlink(project, join(folder, 'work/.scan-audit'));
    const run = (variables: Record<string, string>) => {
      const env = { ...job.variables, ...envOf(context.baseUrl, context.org.key), CI: 'true', ...variables };
      return runScript(['sh', '-e'], job.script.join('\n'), join(folder, 'work'), env);
    };
    const refused = await run({ SCAN_AUDIT_URL: 'other.example', SCAN_AUDIT_DEEP: 'true' });
    assert.is(refused.code, 1);
    assert.match(refused.log, 'other.example is not verified');
    const late = await run({ SCAN_AUDIT_URL: 'example.com', SCAN_AUDIT_TIMEOUT: '1', SCAN_AUDIT_THRESHOLD: 'low' });
    assert.is(late.code, 1);
    assert.match(late.log, 'Allow more with --timeout.');
    const baseline = { SCAN_AUDIT_SCOPE: 'all', SCAN_AUDIT_BASELINE: context.runId };
    const mistyped = await run({ SCAN_AUDIT_URL: 'example.com', SCAN_AUDIT_UNTIL: 'end' });
    assert.match(mistyped.log, 'Allowed choices are completed, verdict');
    assert.match((await run({ SCAN_AUDIT_URL: 'example.com', ...baseline })).log, 'leave one of the two out');
    assert.is(job.artifacts.reports.junit, 'scan-audit.xml');
    assert.match(job.script.join('\n'), '--junit scan-audit.xml');
  }),
);

test.run();
