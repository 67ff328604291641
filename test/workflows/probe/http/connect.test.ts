import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSocket } from '../../../../workflows/probe/http/connect.ts';
import { codeOf } from '../support.ts';

const connections = suite('opening a connection');

const listening = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.2', backlog: 1 },
  function () { process.send(this.address().port); });`;

/** A server that takes no connections until it is woken: its queue is full, and packets that open further ones are lost. */
async function sleepingServer(): Promise<{ port: number; child: ChildProcess; queue: Socket[] }> {
  const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = (await once(child, 'message')) as [number];
  child.kill('SIGSTOP');
  const queue = Array.from({ length: 6 }, () => connect(port, '127.0.0.2').on('error', () => {}));
  await Promise.all(queue.slice(0, 2).map((socket) => once(socket, 'connect')));
  return { port, child, queue };
}

connections('a host that is far away is reached although its other address refuses at once', async () => {
  const { port, child, queue } = await sleepingServer();
  const guard = { addresses: async () => ['127.0.0.2', '127.0.0.3'] };
  try {
    const opening = openSocket(guard, { host: 'shop.localhost', port }, AbortSignal.timeout(30_000));
    const awake = sleep(600).then(() => child.kill('SIGCONT'));
    const socket = await opening;
    assert.is(socket.remoteAddress, '127.0.0.2');
    socket.destroy();
    await awake;
  } finally {
    for (const socket of queue) socket.destroy();
    child.kill('SIGKILL');
  }
});

connections('a host whose addresses all refuse is unreachable', async () => {
  const guard = { addresses: async () => ['127.0.0.2', '127.0.0.3'] };
  const closed = openSocket(guard, { host: 'shop.localhost', port: 9 }, AbortSignal.timeout(30_000));
  assert.is(await codeOf(closed), 'unreachable');
});

connections.run();
