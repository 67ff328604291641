import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testTemporal } from '../../support/servers.ts';

const logger = new DefaultLogger('ERROR');
Runtime.install({ shutdownSignals: [], logger });

type World = { client: Client; taskQueue: string; close(): Promise<void> };

const times = suite<World>('the time of an audit');

times.before(async (world) => {
  const { address } = await testTemporal();
  const [connection, clientConnection] = [
    await NativeConnection.connect({ address }),
    await Connection.connect({ address }),
  ];
  const workflowsPath = join(import.meta.dirname, 'in-time.workflow.ts');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  world.taskQueue = `test-${randomUUID()}`;
  world.client = new Client({ connection: clientConnection });
  const worker = await Worker.create({ connection, taskQueue: world.taskQueue, workflowBundle });
  const running = worker.run();
  world.close = async () => {
    worker.shutdown();
    await running;
    await clientConnection.close();
    await connection.close();
  };
});
times.after(({ close }) => close());

const start = ({ client, taskQueue }: World, workMs: number, limitMs: number) =>
  client.workflow.start('timed', { workflowId: randomUUID(), taskQueue, args: [{ workMs, limitMs }] });

times('work that ends in time is done', async (world) => {
  const handle = await start(world, 1, 3_600_000);
  assert.is(await handle.result(), 'done');
});

times('work that does not is ended as timed out, which is a failure and no cancellation', async (world) => {
  const handle = await start(world, 3_600_000, 200);
  assert.is(await handle.result(), 'timed_out');
});

times('a cancellation from outside stays one', async (world) => {
  const handle = await start(world, 3_600_000, 3_600_000);
  await handle.cancel();
  assert.is(await handle.result(), 'canceled');
});

times.run();
