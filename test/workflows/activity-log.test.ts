import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from '../../kit/logger.ts';
import { activityLog } from '../../workflows/activity-log.ts';

const test = suite('log of activities');

/** What an activity with an input and a result leaves in the log. */
async function linesOf(input: unknown, next: () => Promise<unknown>) {
  const lines: object[] = [];
  const logger = (common: object): Logger =>
    ({
      child: (more: object) => logger({ ...common, ...more }),
      info: (values: object, text: string) => lines.push({ ...common, ...(text ? values : {}), text: text ?? values }),
      warn: (values: object, text: string) => lines.push({ ...common, ...values, text }),
    }) as unknown as Logger;
  const context = { info: { activityType: 'runChainStep', attempt: 1 } };
  const { inbound } = activityLog(logger({}))(context as Parameters<ReturnType<typeof activityLog>>[0]);
  await inbound?.execute?.({ args: [input], headers: {} }, next).catch(() => {});
  return lines.map((line) => ({ ...line, elapsedMs: undefined }));
}

const input = { runId: 'r1', step: { actionId: 'chains.leaked-login', factIds: ['f1'] } };
const about = { activity: 'runChainStep', attempt: 1, runId: 'r1', actionId: 'chains.leaked-login' };

test('says of a step what it is and how many requests it sent', async () => {
  const [began, ended] = await linesOf(input, async () => ({ requests: 7, omissions: [] }));
  assert.equal(began, { ...about, text: 'an activity began', elapsedMs: undefined });
  assert.equal(ended, { ...about, requests: 7, result: 'ok', text: 'an activity ended', elapsedMs: undefined });
});

test('says why one failed, without what the target said', async () => {
  const lines = await linesOf(input, () => Promise.reject(new TypeError('secret words')));
  assert.equal(lines[1], {
    ...about,
    ...{ result: 'failed', reason: 'TypeError', text: 'an activity ended', elapsedMs: undefined },
  });
});

test.run();
