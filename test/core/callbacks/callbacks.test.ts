import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { awaitCallbacks } from '../../../core/callbacks/await-callbacks.ts';
import { recordCallbacks } from '../../../core/callbacks/record-callbacks.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import {
  AwaitCallbacksRequestSchema,
  CallbackProtocol,
  CallbackSchema,
} from '../../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { finish, newOrg, openDatabase, refusal } from '../scans/support.ts';

const { em, close } = await openDatabase();
const test = suite('callbacks of audited hosts');
const { HTTP, DNS } = CallbackProtocol;

const word = (letter: string) => letter.repeat(48);
const call = (runId: string, token: string, protocol: CallbackProtocol = HTTP, detail = 'GET /') =>
  create(CallbackSchema, { runId, token, protocol, address: '203.0.113.7', detail });

async function running() {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  return { org, runId };
}

const waitFor = (runId: string, tokens: string[], waitMs = 0) =>
  awaitCallbacks(em, create(AwaitCallbacksRequestSchema, { runId, tokens, waitMs }), new AbortController().signal);

test('are stored once by token and protocol, the first one', async () => {
  const { runId } = await running();
  const calls = [call(runId, word('a')), call(runId, word('a'), HTTP, 'GET /again'), call(runId, word('a'), DNS, 'A')];
  assert.is(await recordCallbacks(em, calls), 3);
  assert.is(await recordCallbacks(em, calls), 3);
  const found = await waitFor(runId, [word('a'), word('b')]);
  assert.equal(found.map(({ protocol, detail }) => [protocol, detail]).sort(), [
    [HTTP, 'GET /'],
    [DNS, 'A'],
  ]);
});

test('of runs that have ended or never were are dropped, and keep no other from being stored', async () => {
  const [{ runId: ended }, { runId }] = [await running(), await running()];
  await finish(em, ended);
  const never = '0193b2a0-0000-7000-8000-00000000000f';
  assert.is(await recordCallbacks(em, [call(ended, word('c')), call(never, word('c')), call(runId, word('c'))]), 1);
  await refusal(waitFor(ended, [word('c')]), 'RUN_NOT_RUNNING');
});

test('are waited for by any number of workers, each of which hears of its own at once', async () => {
  const { runId } = await running();
  const waits = [waitFor(runId, [word('d')], 8_000), waitFor(runId, [word('e'), word('d')], 8_000)];
  await recordCallbacks(em, [call(runId, word('d'))]);
  for (const found of await Promise.all(waits))
    assert.equal(
      found.map(({ token }) => token),
      [word('d')],
    );
});

test('of another run are not shown, and a wait that nobody calls for ends with nothing', async () => {
  const [{ runId }, { runId: other }] = [await running(), await running()];
  await recordCallbacks(em, [call(other, word('f'))]);
  assert.equal(await waitFor(runId, [word('f')], 300), []);
});

test.after(close);
test.run();
