import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { RunService, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { registryOf } from '../../workflows/checks/registry.ts';
import { openRun } from '../../workflows/run/run.ts';
import { checkLike } from './support/checks.ts';
import { hasEnded } from './support/installation.ts';
import { openSite, page, type Site } from './support/site.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

type World = { bench: Workbench; site: Site; release: () => void; runId: string };
const runs = suite<World>('client of a run');

/** A scan that stays running until the test lets it go. */
runs.before(async (world) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.release = resolve;
  const waiting = checkLike({
    id: 'test.waiting',
    detect: async () => {
      await promise;
      return [];
    },
  });
  world.site = await openSite((_request, response) => page(response, 'ok'));
  world.bench = await openWorkbench(registryOf([waiting], []));
  const { runId } = await world.bench.scans.startScan({ url: `http://site.localhost:${world.site.port}/` });
  world.runId = runId;
  await world.bench.until(runId, ({ phase }) => phase === 'standard');
});
runs.after(async ({ bench, site, release, runId }) => {
  release();
  await bench.until(runId, hasEnded);
  await bench.close();
  await site.close();
});

const open = ({ bench, runId }: World, signal = new AbortController().signal) =>
  openRun(bench.runs, runId, { signal, patienceMs: 500 });

const typeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { type?: string; nonRetryable?: boolean }) => `${error.type} ${error.nonRetryable}`,
  );

runs('an artifact of several chunks comes back byte for byte, by its hash and by its name', async (world) => {
  const content = randomBytes(2.5 * 1024 * 1024);
  const run = open(world);
  const ref = await run.putArtifact('big', 'application/octet-stream', content);
  assert.match(ref, /^[0-9a-f]{64}$/);
  assert.ok(content.equals((await run.findArtifact(ref)) ?? Buffer.alloc(0)));
  assert.ok(content.equals((await run.findArtifact('big')) ?? Buffer.alloc(0)));
});

runs('an empty artifact is an artifact, and one that is not there is none', async (world) => {
  const run = open(world);
  await run.putArtifact('empty', 'text/plain', new Uint8Array());
  assert.is((await run.findArtifact('empty'))?.byteLength, 0);
  assert.is(await run.findArtifact('nothing'), undefined);
});

runs('more than a hundred facts are stored in batches', async (world) => {
  const run = open(world);
  const facts = Array.from({ length: 250 }, (_, index) => ({
    id: `f${index}`,
    kind: 'test',
    subject: 's',
    derivations: [{ actionId: 'test.x' }],
  }));
  await run.recordFacts(facts);
  assert.is((await run.listFacts()).length, 250);
});

runs(
  'a write whose place has a long address, or is a WebSocket, is in the ledger with the page alone',
  async (world) => {
    const run = open(world);
    const url = `http://site.localhost:${world.site.port}/notes`;
    const write = {
      ...{ id: 'long', actionId: 'test.x', description: 'A note stays.', state: WriteState.LEFT },
      request: { method: 'POST', url },
      place: `${url}?text=${'a'.repeat(3_000)}`,
    };
    await run.recordWrite(write);
    await run.recordWrite({ ...write, id: 'told', place: url.replace('http:', 'ws:') });
    const placeOf = (writes: Awaited<ReturnType<typeof run.listWrites>>, own: string) =>
      writes.find(({ id }) => id === own)?.place;
    const writes = await run.listWrites();
    assert.equal([placeOf(writes, 'long'), placeOf(writes, 'told')], [url, url]);
  },
);

runs('a secret comes back, and one that is not there is refused for good', async (world) => {
  const run = open(world);
  await run.putSecret('fact:x', 'hidden');
  assert.is(await run.openSecret('fact:x'), 'hidden');
  assert.is(await typeOf(run.openSecret('fact:y')), 'NOT_FOUND true');
});

runs('a run that does not exist is refused for good', async ({ bench }) => {
  const run = openRun(bench.runs, 'nothing', { signal: new AbortController().signal });
  assert.is(await typeOf(run.context()), 'NOT_FOUND true');
});

runs('a key that is revoked is refused, but an operator may mend that', async ({ bench, runId }) => {
  const { signal } = new AbortController();
  const stranger = rpcClients({ baseUrl: bench.coreUrl, key: 'sa_00000000_no' })(RunService);
  assert.is(await typeOf(openRun(stranger, runId, { signal }).context()), 'INVALID_KEY false');
});

runs('a core that is away is asked again for as long as patience lasts', async ({ runId }) => {
  const client = rpcClients({ baseUrl: 'http://127.0.0.1:9' })(RunService);
  const startedAt = Date.now();
  const type = await typeOf(
    openRun(client, runId, { signal: new AbortController().signal, patienceMs: 700 }).context(),
  );
  assert.is(type, 'Unavailable false');
  assert.ok(Date.now() - startedAt >= 200);
});

runs('a canceled activity does not wait for a core that hangs', async ({ runId }) => {
  const connections: Socket[] = [];
  const server = createServer((connection) => connections.push(connection));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const canceling = new AbortController();
  setTimeout(() => canceling.abort(new Error('canceled')), 100);
  const asking = openRun(rpcClients({ baseUrl })(RunService), runId, { signal: canceling.signal }).context();
  const message = await asking.catch((error: Error) => error.message);
  server.close();
  for (const connection of connections) connection.destroy();
  assert.is(message, 'canceled');
});

runs.run();
