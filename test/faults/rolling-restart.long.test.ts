import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CreditService } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { type Backend, startBalancer } from '../support/balancer.ts';
import { type Installation, openInstallation } from '../workflows/support/installation.ts';

const host = 'site.localhost';
/** Callers at the same time, each over kept-alive connections of its own. */
const callers = 4;

type Caller = { ask(path: string, key?: string): Promise<{ status: number; body: string }>; end(): void };

function openCaller(port: number, apiKey: string): Caller {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (path, key) =>
      new Promise((resolve, reject) => {
        const post = key === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key };
        const headers = { authorization: `Bearer ${apiKey}`, ...post };
        const method = key === undefined ? 'GET' : 'POST';
        const sent = request({ port, host: '127.0.0.1', path: `/api/v1${path}`, method, headers, agent });
        sent.once('error', reject);
        sent.once('response', (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
        });
        sent.end(key === undefined ? undefined : JSON.stringify({ url: `https://${key}.${host}/` }));
      }),
    end: () => agent.destroy(),
  };
}

/** Longer than the balancer takes to notice, also on a busy machine. */
const DRAIN_DELAY_MS = '2000';

/** Asks without a pause until it is asked to stop: starts with a key each, the same start again, a list, a record, a gate. */
function putLoad(port: number, apiKey: string) {
  const failed: string[] = [];
  const runs = new Map<string, string>();
  let asked = 0;
  let hasEnded = false;
  const work = async (name: number) => {
    const caller = openCaller(port, apiKey);
    const ask = async (path: string, key?: string) => {
      asked += 1;
      try {
        const { status, body } = await caller.ask(path, key);
        if (status !== 200 && status !== 201) failed.push(`${path}: ${status} ${body.slice(0, 300)}`);
        return body;
      } catch (error) {
        failed.push(`${path}: ${error}`);
        return '{}';
      }
    };
    for (let round = 0; !hasEnded; round += 1) {
      const key = `run-${name}-${round}`;
      const { runId = '' } = JSON.parse(await ask('/scans', key)) as { runId?: string };
      runs.set(key, runId);
      const again = JSON.parse(await ask('/scans', key)) as { runId?: string };
      if (again.runId !== runId) failed.push(`${key} started ${runId} and ${again.runId}`);
      await ask('/scans?limit=5');
      await ask(`/scans/${runId}`);
      // One of them waits, as pipelines do.
      await ask(`/scans/${runId}/gate?wait=${name === 0 ? 2 : 0}`);
    }
    caller.end();
  };
  const working = Promise.all(Array.from({ length: callers }, (_, index) => work(index)));
  return {
    runs,
    failed,
    asked: () => asked,
    async end() {
      hasEnded = true;
      await working;
    },
  };
}

type Replaceable = Backend & { stop(): Promise<unknown>; start(): Promise<void> };

/** A program that comes back at the port where it was. */
async function replaceable(start: (port: string) => Promise<Backend & { program: { stop(): Promise<unknown> } }>) {
  let running = await start('0');
  const backend: Replaceable = {
    port: running.port,
    operationsPort: running.operationsPort,
    stop: () => running.program.stop(),
    async start() {
      running = await start(String(backend.port));
      backend.operationsPort = running.operationsPort;
    },
  };
  return backend;
}

const test = suite<{ installation: Installation }>('a rolling restart under load');
test.before(async (context) => {
  context.installation = await openInstallation({ host, logLevel: 'warn' });
});
test.after(({ installation }) => installation.close());

test('fails no request, and scans are neither lost nor doubled', async ({ installation }) => {
  const { operator, orgId, apiKey } = installation;
  await operator(CreditService).grantCredits({ orgId, amount: 100_000, reason: 'load', idempotencyKey: 'load' });
  const cores = [
    await replaceable((port) => installation.startCoreAs('core-a', { CORE_PORT: port, DRAIN_DELAY_MS })),
    await replaceable((port) => installation.startCoreAs('core-b', { CORE_PORT: port, DRAIN_DELAY_MS })),
  ];
  const toCores = await startBalancer(cores);
  const settings = { CORE_URL: `http://127.0.0.1:${toCores.port}`, DRAIN_DELAY_MS };
  const gateways = [
    await replaceable((port) => installation.startGateway('gateway-a', { ...settings, GATEWAY_PORT: port })),
    await replaceable((port) => installation.startGateway('gateway-b', { ...settings, GATEWAY_PORT: port })),
  ];
  const toGateways = await startBalancer(gateways);
  const load = putLoad(toGateways.port, apiKey);
  try {
    await sleep(500);
    for (const pair of cores.map((core, index) => [core, gateways[index]])) {
      const before = load.asked();
      await Promise.all(pair.map((each) => each?.stop()));
      await Promise.all(pair.map((each) => each?.start()));
      // The next ones are stopped when these are known to be back.
      await sleep(300);
      assert.ok(load.asked() > before, 'the load goes on meanwhile');
    }
  } finally {
    await load.end();
    await toGateways.close();
    await toCores.close();
  }
  assert.equal(load.failed.slice(0, 5), []);
  assert.ok(load.asked() > 100, `${load.asked()} requests`);
  assert.equal(await runsIn(installation), [...load.runs.values()].sort());
});

async function runsIn({ databaseUrl, orgId }: Installation): Promise<string[]> {
  const database = new Postgres({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(`select set_config('app.org_id', '${orgId}', false)`);
    const { rows } = await database.query<{ run_id: string }>('select run_id from scans order by run_id');
    return rows.map(({ run_id }) => run_id);
  } finally {
    await database.end();
  }
}

test.run();
