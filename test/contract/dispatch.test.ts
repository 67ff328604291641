import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg } from './support/orgs.ts';
import { begin, finish, start } from './support/scans.ts';
import { startWorld, type World } from './support/world.ts';

type Context = World & { connection: Connection; temporal: Client };
const test = suite('starts reach Temporal', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.connection = await Connection.connect({ address: context.temporalAddress });
  context.temporal = new Client({ connection: context.connection });
});
test.after(async (context) => {
  await context.connection.close();
  await context.close();
});

/** The workflow of a run, once Temporal has it; undefined when it has not after a while. */
async function workflowOf({ temporal }: Context, runId: string, patienceMs = 10_000) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await temporal.workflow.getHandle(`scan/${runId}`).describe();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      if (performance.now() > deadline) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function inputOf({ temporal }: Context, runId: string): Promise<unknown> {
  const { events } = await temporal.workflow.getHandle(`scan/${runId}`).fetchHistory();
  const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return payloads.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
}

for (const depth of ['standard', 'deep']) {
  test(`an accepted ${depth} scan becomes a workflow of its own`, async (context) => {
    const runId = await start(context, await createOrg(context), 'example.com', depth);
    const workflow = await workflowOf(context, runId);
    assert.is(workflow?.type, 'scanWorkflow');
    assert.is(workflow?.taskQueue, `${context.taskQueuePrefix}.workflows`);
    assert.equal(await inputOf(context, runId), [{ runId, depth }]);
  });
}

test('the next scan of a host starts when the one before has ended', async (context) => {
  const org = await createOrg(context);
  const first = await start(context, org);
  const second = await start(context, org);
  const elsewhere = await start(context, org, 'www.example.com');
  assert.ok(await workflowOf(context, first));
  assert.ok(await workflowOf(context, elsewhere));
  assert.is(await workflowOf(context, second, 500), undefined);
  await begin(context, first);
  await finish(context, first);
  assert.ok(await workflowOf(context, second));
});

test('cancelling a running scan cancels its workflow', async (context) => {
  const org = await createOrg(context);
  const runId = await start(context, org);
  await workflowOf(context, runId);
  await begin(context, runId);
  await context.rest('ScanService/CancelScan', { runId }, { key: org.key });
  const deadline = performance.now() + 10_000;
  const isAsked = async () => {
    const { events } = await context.temporal.workflow.getHandle(`scan/${runId}`).fetchHistory();
    return events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes) ?? false;
  };
  while (!(await isAsked())) {
    assert.ok(performance.now() < deadline, 'the workflow was never asked to stop');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

test.run();
