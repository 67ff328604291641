import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from '../contract/support/orgs.ts';
import { begin, finish, recordFamily, recordFindings } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { envOf, launcher } from './support.ts';

/** The pipeline that README shows for shells without the command line tool. */
const readme = await readFile(resolve(launcher, '../../README.md'), 'utf8');
const pipeline = [...readme.matchAll(/```sh\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .find((code) => /^ask\(\)/.test(code));

type Context = World & { org: TestOrg };
const test = suite('the pipeline of README', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.before.each(async (context) => {
  context.org = await createOrg(context);
});
test.after((world) => world.close());

type Job = { output(): string; ended: Promise<number | null> };

/** Starts the pipeline as a runner does, without Node, jq or anything else of ours in its environment. */
function startJob({ baseUrl, org }: Context, cwd: string, jobId = '4711'): Job {
  const env = { PATH: process.env.PATH, CI_COMMIT_SHA: 'c0ffee', CI_JOB_ID: jobId, ...envOf(baseUrl, org.key) };
  const child = spawn('sh', ['-c', pipeline ?? 'exit 99'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return { output: () => output, ended: new Promise((done) => child.once('close', done)) };
}

/** The scan that a job has started, once it has. */
async function scanOf({ rest, org }: Context): Promise<string> {
  const list = async () => listOf((await rest('ScanService/ListScans', {}, { key: org.key })).body, 'items');
  await eventually('a scan is started', async () => (await list()).length > 0, 20_000);
  return String(fieldOf((await list())[0], 'runId'));
}

test('has five lines', () => {
  assert.is(pipeline?.trim().split('\n').length, 5);
  assert.not.match(pipeline ?? '', 'jq');
});

test('passes a scan that looked at everything and found nothing that blocks', (context) =>
  withFolder(async (folder) => {
    const job = startJob(context, folder);
    const runId = await scanOf(context);
    await begin(context, runId);
    await recordFamily(context, runId);
    await finish(context, runId);
    assert.is(await job.ended, 0, job.output());
    assert.match(job.output(), '"reason":"No verified finding is high or worse."');
  }));

test('waits for the end, fails for what blocks, and prints it', (context) =>
  withFolder(async (folder) => {
    const job = startJob(context, folder);
    const runId = await scanOf(context);
    await begin(context, runId);
    await recordFindings(context, runId, [{ severity: 'critical', path: '/first' }]);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await recordFindings(context, runId, [{ severity: 'high', path: '/second' }]);
    await recordFamily(context, runId);
    await finish(context, runId);
    assert.is(await job.ended, 1);
    assert.match(job.output(), '2 verified findings are high or worse.');
    for (const path of ['/first', '/second']) assert.match(job.output(), `https://example.com${path}`);
  }));

test('never passes an inconclusive scan, and prints what was not covered', (context) =>
  withFolder(async (folder) => {
    const job = startJob(context, folder);
    const runId = await scanOf(context);
    await begin(context, runId);
    await recordFamily(context, runId, 'failed');
    await finish(context, runId);
    assert.is(await job.ended, 1);
    assert.match(job.output(), '"verdict":"inconclusive"');
    assert.match(job.output(), '"coverage":{"complete":false');
    assert.match(job.output(), 'the host stopped answering');
  }));

test('prints what a refusal says', (context) =>
  withFolder(async (folder) => {
    context.org = await createOrg(context, { domains: [] });
    const job = startJob(context, folder);
    assert.is(await job.ended, 1);
    assert.match(job.output(), 'example.com is not proven to be your organisation');
    assert.match(job.output(), 'POST /api/v1/domains');
  }));

further(test)('scans anew when the job is repeated', (context) =>
  withFolder(async (folder) => {
    const runs = new Set<string>();
    for (const jobId of ['1', '2']) {
      const job = startJob(context, folder, jobId);
      await eventually(
        'another scan is started',
        async () => {
          runs.add(await scanOf(context));
          return runs.size === Number(jobId);
        },
        20_000,
      );
      await context.rest('ScanService/CancelScan', { runId: [...runs].at(-1) }, { key: context.org.key });
      assert.is(await job.ended, 1);
    }
    assert.ok(await readFile(join(folder, 'answer.json'), 'utf8'));
  }),
);

test.run();
