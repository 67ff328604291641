import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { json } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { startCore, type TestCore } from './support.ts';

let core: TestCore;
const sessions: ClientHttp2Session[] = [];

const test = suite('drain of core');
test.before.each(async () => {
  core = await startCore({ drainDelayMs: 1_500 });
});
test.after.each(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await core.close();
});

function newSession(): ClientHttp2Session {
  const session = connect(core.baseUrl);
  sessions.push(session);
  return session;
}

/** Asks by a connection of the test's own: the clients of `kit/rpc.ts` leave theirs when they are asked to. */
async function isServing(session: ClientHttp2Session): Promise<boolean> {
  const call = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: '/grpc.health.v1.Health/Check',
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/json',
  });
  call.end(JSON.stringify({ service: OrgService.typeName }));
  const { status } = (await json(call)) as { status: string };
  return status === 'SERVING';
}

/** The last call that the server will take, by its GOAWAY: any while it only asks the client to leave. */
async function lastCallTaken(session: ClientHttp2Session): Promise<unknown> {
  const [, lastStreamId] = await once(session, 'goaway', { signal: AbortSignal.timeout(10_000) });
  return lastStreamId;
}

const anyCall = 2 ** 31 - 1;

test('clients are asked to leave at once, those that come late with their first call', async () => {
  const connected = newSession();
  await isServing(connected);
  const toConnected = lastCallTaken(connected);
  const closed = core.program.close();
  assert.is(await toConnected, anyCall);
  const late = newSession();
  const toLate = lastCallTaken(late);
  await isServing(late);
  assert.is(await toLate, anyCall);
  await closed;
});

test('a core that drains says that it does not serve, and goes on answering', async () => {
  assert.ok(await isServing(newSession()));
  const closed = core.program.close();
  assert.equal(await core.program.missing(), { core: 'draining' });
  assert.not.ok(await isServing(newSession()));
  await closed;
});

test.run();
