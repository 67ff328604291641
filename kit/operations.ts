import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** A program's own operations door: /healthz, /readyz and /metrics, on loopback unless it is told otherwise. */
export type Operations = {
  registry: Registry;
  port: number;
  close(): Promise<void>;
};

/**
 * @param ready names what is not ready, each with the reason; an empty object means ready
 */
export async function startOperations(options: {
  host?: string;
  port: number;
  ready: () => Promise<Record<string, string>>;
}): Promise<Operations> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server: Server = createServer(async (request, response) => {
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (request.url === '/healthz') return reply(200, 'application/json', '{"status":"up"}');
    if (request.url === '/metrics') return reply(200, registry.contentType, await registry.metrics());
    if (request.url !== '/readyz') return reply(404, 'application/json', '{"status":"no such page"}');
    const missing = await options.ready().catch((error: unknown) => ({ check: String(error) }));
    const isReady = Object.keys(missing).length === 0;
    return reply(
      isReady ? 200 : 503,
      'application/json',
      JSON.stringify({ status: isReady ? 'ready' : 'not ready', missing }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    registry,
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
