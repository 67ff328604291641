import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { hasEnded, type Installation, openInstallation } from './support/installation.ts';
import { openSite, page, type Site } from './support/site.ts';

const Line = z.looseObject({ program: z.string(), msg: z.string(), time: z.string() });
type Line = z.infer<typeof Line>;

type Context = { installation: Installation; site: Site; gateway: { url: string } };
const test = suite<Context>('the logs of all programs');
test.before(async (context) => {
  context.site = await openSite((_request, response) => page(response, '<h1>Example</h1>'));
  context.installation = await openInstallation({ host: 'site.localhost' });
  context.gateway = await context.installation.startGateway();
  await context.installation.startWorker();
});
test.after(async ({ installation, site }) => {
  await installation.close();
  await site.close();
});

/** Every line of every program, in the order of their times. What is no JSON fails. */
async function linesOf({ log }: Installation): Promise<Line[]> {
  const logs = await Promise.all(['gateway', 'core', 'worker'].map(log));
  const lines = logs.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('{"ready"'));
  return lines.map((line) => Line.parse(JSON.parse(line))).sort((a, b) => a.time.localeCompare(b.time));
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (const untilMs = Date.now() + 30_000; Date.now() < untilMs && !(await holds()); ) await sleep(100);
}

test('give all steps of one scan by its id, and who asked for it by the id of the request', async (context) => {
  const { installation, site, gateway } = context;
  const requestId = 'pipeline-4711';
  const started = await fetch(`${gateway.url}/api/v1/scans`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${installation.apiKey}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
    },
    body: JSON.stringify({ url: `http://site.localhost:${site.port}/` }),
  });
  assert.is(started.status, 201);
  const { runId } = (await started.json()) as { runId: string };
  const scan = await installation.until(runId, hasEnded);
  assert.is(scan.status, ScanStatus.COMPLETED);
  // The workflow has its last words after the scan has ended.
  await eventually(async () => (await installation.log('worker')).includes('a workflow ended'));
  // Programs that have ended have written all they had.
  for (const name of ['worker', 'gateway', 'core']) await installation.program(name)?.stop();

  const lines = await linesOf(installation);
  const story = lines.filter((line) => line.runId === runId);
  const chapters = ['accepted a scan', 'delivered a message', 'a workflow began', 'a run began'];
  const reported = story.map(({ msg }) => msg);
  const order = [...chapters, 'an activity ended', 'a run ended', 'a workflow ended'].map((msg) =>
    reported.indexOf(msg),
  );
  assert.equal(order.includes(-1), false, JSON.stringify(reported));
  assert.equal(
    order,
    order.toSorted((a, b) => a - b),
    JSON.stringify(reported),
  );
  assert.is(story.find(({ msg }) => msg === 'a run ended')?.status, 'completed');

  const began = story.filter(({ msg }) => msg === 'an activity began');
  const ended = story.filter(({ msg }) => msg === 'an activity ended');
  const keyOf = ({ activity, attempt, family, phase }: Line) => [activity, attempt, family, phase].join(' ');
  assert.equal(began.map(keyOf).sort(), ended.map(keyOf).sort());
  for (const name of ['beginRun', 'survey', 'runFamily', 'finishRun'])
    assert.ok(
      ended.some(({ activity }) => activity === name),
      name,
    );
  for (const line of ended) assert.ok(typeof line.elapsedMs === 'number' && line.result === 'ok', JSON.stringify(line));
  const families = new Set(ended.flatMap(({ family }) => (typeof family === 'string' ? [family] : [])));
  assert.ok(families.size > 5, [...families].join());

  const asked = lines.filter((line) => line.requestId === requestId);
  assert.equal(
    asked.map(({ program, msg, runId: id }) => [program, msg, id]),
    [
      ['core', 'accepted a scan', runId],
      ['gateway', 'answered', runId],
    ],
  );
  assert.is(asked[1]?.status, 201);
});

test.run();
