import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workflowBundle } from '../../workflows/bundle.ts';
import { further } from '../support/further.ts';
import { cacheFolder } from '../workflows/support/temporal.ts';
import { readHistories } from './histories.ts';

const replays = suite('replay');
const logger = new DefaultLogger('ERROR');

async function errorsOf(workflowBundle: { code: string } | { codePath: string }): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  const results = Worker.runReplayHistories({ workflowBundle }, await readHistories());
  for await (const { workflowId, error } of results) errors[workflowId] = error?.name ?? 'none';
  return errors;
}

replays('the workflow replays a standard scan, deep ones and a canceled one', async () => {
  const errors = await errorsOf({ codePath: await workflowBundle(cacheFolder) });
  assert.equal(errors, {
    beside: 'none',
    canceled: 'none',
    deep: 'none',
    hearing: 'none',
    standard: 'none',
    weighted: 'none',
    writing: 'none',
  });
});

further(replays)('a workflow with two steps the other way round does not', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'reordered.workflow.ts'),
    logger,
  });
  const errors = await errorsOf({ code });
  assert.equal(errors, {
    beside: 'DeterminismViolationError',
    canceled: 'DeterminismViolationError',
    deep: 'DeterminismViolationError',
    hearing: 'DeterminismViolationError',
    standard: 'DeterminismViolationError',
    weighted: 'DeterminismViolationError',
    writing: 'DeterminismViolationError',
  });
});

replays('the recorded histories stay below 1,000 events and 128 KiB a payload', async () => {
  for (const { workflowId, history } of await readHistories()) {
    assert.ok(history.events.length < 1_000, workflowId);
    const payloads = JSON.stringify(history).match(/"data":\s*"[^"]*"/g) ?? [];
    assert.ok(payloads.length > 0);
    assert.ok(
      payloads.every((payload) => payload.length < 128 * 1024),
      workflowId,
    );
  }
});

replays.run();
