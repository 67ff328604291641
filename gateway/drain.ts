import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Makes the way to end a server without failing a request. For `delayMs` it goes on as before, but every answer says
 * that its connection closes, so callers with kept-alive connections leave by themselves. Then it takes nothing new,
 * closes what carries no request, and ends the requests in progress.
 */
export function drainable(app: FastifyInstance, delayMs: number): () => Promise<void> {
  const unused = trackConnections(app.server);
  let isDraining = false;
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });
  return async () => {
    isDraining = true;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const closed = app.close();
    // Node leaves alone connections that never carried a request, and would wait for their headers for a minute.
    for (const socket of unused()) socket.destroy();
    await closed;
  };
}

function trackConnections(server: Server): () => Socket[] {
  const openRequests = new Map<Socket, number>();
  const change = (socket: Socket, by: number) => {
    const count = openRequests.get(socket);
    if (count !== undefined) openRequests.set(socket, count + by);
  };
  const track = (socket: Socket) => {
    openRequests.set(socket, 0);
    socket.once('close', () => openRequests.delete(socket));
  };
  // With TLS, requests come over the socket that is secured, not over the one below it.
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', track);
  server.on('request', ({ socket }, response) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  return () => [...openRequests].filter(([, count]) => count === 0).map(([socket]) => socket);
}
