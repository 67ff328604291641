import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program behind the balancer: where it serves, and where it says whether it is ready. */
export type Backend = { port: number; operationsPort: number };

/**
 * Passes connections on to programs in turn, as balancers of TCP do: it asks each whether it is ready ten times a second,
 * takes those that are not out, and tries the next one when a connection is refused. It knows nothing of what is sent.
 */
export async function startBalancer(backends: readonly Backend[]) {
  const ended = new AbortController();
  const ready = new Set<Backend>(backends);
  const sockets = new Set<Socket>();
  const watch = (async () => {
    while (!ended.signal.aborted) {
      await Promise.all(
        backends.map(async (backend) => {
          const isReady = await fetch(`http://127.0.0.1:${backend.operationsPort}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
          ready[isReady ? 'add' : 'delete'](backend);
        }),
      );
      await sleep(100, undefined, { signal: ended.signal }).catch(() => {});
    }
  })();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, async (client) => {
    keep(sockets, client);
    const upstream = await connectToNext();
    if (!upstream) return client.destroy();
    keep(sockets, upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  const connectToNext = async (): Promise<Socket | undefined> => {
    for (let attempts = 0; attempts < 200 && !ended.signal.aborted; attempts += 1) {
      const up = backends.filter((backend) => ready.has(backend));
      const chosen = up[turn++ % Math.max(1, up.length)];
      const socket = chosen && (await connected(chosen.port));
      if (socket) return socket;
      await sleep(25);
    }
    return undefined;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      ended.abort();
      server.close();
      for (const socket of sockets) socket.destroy();
      await watch;
    },
  };
}

/** Undefined when the connection is refused. */
async function connected(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => {}).once('close', () => sockets.delete(socket));
}
