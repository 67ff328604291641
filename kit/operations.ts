import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** A program's own operations port: /healthz, /readyz and /metrics, on loopback unless configured otherwise. */
export type Operations = {
  registry: Registry;
  port: number;
  close(): Promise<void>;
};

type OperationsAnswer = { status: number; type: string; body: string };

const json = (status: number, body: object): OperationsAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

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
  const answer = async (path: string | undefined): Promise<OperationsAnswer> => {
    if (path === '/healthz') return json(200, { status: 'up' });
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
    if (path !== '/readyz') return json(404, { status: 'no such page' });
    const missing = await options.ready().catch((error: unknown) => ({ check: String(error) }));
    const isReady = Object.keys(missing).length === 0;
    return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', missing });
  };
  const server: Server = createServer(async (request, response) => {
    // A figure that cannot be read must not end the program, which an unhandled rejection does.
    const failed = (error: unknown) => json(500, { status: 'failed', error: String(error) });
    const { status, type, body } = await answer(request.url?.split('?')[0]).catch(failed);
    response.writeHead(status, { 'content-type': type }).end(body);
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
