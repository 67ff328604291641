import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request on its way to the service. */
type Fault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** The service does what was asked, but its answer does not come back. */
  | { kind: 'lose-answer' };

type Seen = { atMs: number; method: string; path: string; idempotencyKey: string | undefined };

export type LossyProxy = {
  baseUrl: string;
  seen: Seen[];
  /** For the next requests, in order; after them all goes through. */
  faults: Fault[];
  close(): Promise<void>;
};

/** A proxy before the real service, on which planned requests go wrong. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const seen: Seen[] = [];
  const faults: Fault[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const idempotencyKey = headers['idempotency-key']?.toString();
    seen.push({ atMs: performance.now(), method, path: url, idempotencyKey });
    const fault = faults.shift();
    if (fault?.kind === 'answer') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const answer = await forward(target, request);
    if (fault?.kind === 'lose-answer') return void response.destroy();
    await passOn(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(target: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '', headers } = request;
  const names = ['authorization', 'accept', 'content-type', 'idempotency-key'];
  const passed = names.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : []));
  const body = method === 'POST' ? await buffer(request) : undefined;
  return fetch(`${target}${url}`, { method, headers: passed, ...(body && { body: new Uint8Array(body) }) });
}

async function passOn(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
