import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { startGateway } from './support.ts';

const test = suite('drain');

/** A gateway whose gate answers after `delayMs`, and whose other scans answer at once. */
const start = (delayMs: number) =>
  startGateway((router) =>
    router.service(ScanService, {
      getScan: () => ({}),
      getGate: async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return { runId: 'late' };
      },
    }),
  );

function request(url: string, agent: Agent): Promise<{ status: number; connection: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body });
    });
    sent.on('error', (error) => reject(Object.assign(error, { isOnKept: sent.reusedSocket })));
  });
}

test('ends requests in progress, and informs their callers that the connection closes', async () => {
  const it = await start(1_000);
  const agent = new Agent({ keepAlive: true });
  try {
    const late = request(`${it.baseUrl}/api/v1/scans/a/gate`, agent);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await it.gateway.drain();
    const { status, connection, body } = await late;
    assert.is(status, 200);
    assert.is(connection, 'close');
    assert.is(JSON.parse(body).runId, 'late');
  } finally {
    agent.destroy();
    await it.stopCore();
  }
});

test('fails no request of callers that keep asking over kept-alive connections', async () => {
  const it = await start(0);
  const agent = new Agent({ keepAlive: true });
  const statuses: number[] = [];
  try {
    const drained = new Promise<void>((resolve) => setTimeout(() => resolve(it.gateway.drain()), 200));
    for (;;) {
      try {
        statuses.push((await request(`${it.baseUrl}/api/v1/scans/a`, agent)).status);
      } catch (error) {
        // A connection that was never accepted is a request that another gateway takes: the kernel refuses or resets it.
        const { code, isOnKept } = error as NodeJS.ErrnoException & { isOnKept?: boolean };
        assert.ok(
          code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !isOnKept),
          `${code}, on a kept one: ${isOnKept}`,
        );
        break;
      }
    }
    await drained;
    assert.ok(statuses.length > 10);
    assert.ok(statuses.every((status) => status === 200));
  } finally {
    agent.destroy();
    await it.stopCore();
  }
});

test('does not wait for connections that never sent a request', async () => {
  const it = await start(0);
  const socket = connect(Number(new URL(it.baseUrl).port), '127.0.0.1');
  try {
    await new Promise((resolve) => socket.once('connect', resolve));
    const started = performance.now();
    await it.gateway.drain();
    assert.ok(performance.now() - started < 3_000);
  } finally {
    socket.destroy();
    await it.stopCore();
  }
});

test.run();
