import { connect } from 'node:net';
import { Code, type HandlerContext } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccessService } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanService, type StartScanRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';
import { type GatewayUnderTest, refusal, startGateway } from './support.ts';

type World = {
  it: GatewayUnderTest;
  /** Headers of the last call that reached core. */
  seen: Headers;
  checked: string[];
  started: StartScanRequest[];
  /** What AccessService.Check answers. */
  check: (ctx: HandlerContext) => void;
  canceled: Promise<void>;
};
const world = {} as World;
const app = suite('gateway', world);

app.before(async (world) => {
  const canceled = Promise.withResolvers<void>();
  world.canceled = canceled.promise;
  world.it = await startGateway((router) => {
    router.service(AccessService, {
      check: ({ method }, ctx) => {
        world.checked.push(method);
        world.check(ctx);
        return {};
      },
    });
    router.service(DomainService, { deleteLogin: () => ({}) });
    router.service(ScanService, {
      startScan: (request, ctx) => {
        world.seen = ctx.requestHeader;
        world.started.push(request);
        ctx.responseHeader.set('ratelimit', '"key";r=9;t=1');
        ctx.responseHeader.set('idempotency-replayed', 'true');
        ctx.responseHeader.set('x-internal', 'secret');
        return { runId: 'a/b', host: 'example.com' };
      },
      getScan: ({ runId }, ctx) => {
        world.seen = ctx.requestHeader;
        if (runId === 'missing') throw refusal(Code.NotFound, 'NOT_FOUND');
        if (runId === 'crash') throw new Error('SELECT * FROM keys');
        return { runId };
      },
      getGate: async (_request, ctx) => {
        await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
        canceled.resolve();
        return {};
      },
      getReport: () => ({ contentType: 'text/html; charset=utf-8', content: new TextEncoder().encode('<h1>ü</h1>') }),
    });
  });
});
app.before.each((world) => {
  world.checked = [];
  world.started = [];
  world.check = () => {};
});
app.after((world) => world.it.close());

type Init = RequestInit & { path?: string };
const send = ({ it }: World, { path = '/api/v1/scans', ...init }: Init = {}) => fetch(`${it.baseUrl}${path}`, init);
const post = (body: BodyInit, headers: Record<string, string> = {}): Init => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

app('translates a request and its answer, with status and Location from the options', async (world) => {
  const answer = await send(world, post('{"url":"example.com","depth":"deep"}'));
  assert.is(answer.status, 201);
  assert.is(answer.headers.get('location'), '/api/v1/scans/a%2Fb');
  assert.equal(await answer.json(), { runId: 'a/b', host: 'example.com' });
  assert.is(world.started[0]?.depth, Depth.DEEP);
});

app('passes the key, the request id and the idempotency key to core, and nothing else of the caller', async (world) => {
  const headers = {
    authorization: 'Bearer sa_x',
    'idempotency-key': 'abc',
    'x-request-id': 'caller-0001',
    'x-scan-audit-org': 'other-org',
    cookie: 'a=b',
    'x-forwarded-for': '1.2.3.4',
  };
  await send(world, post('{"url":"a"}', headers));
  assert.is(world.seen.get('authorization'), 'Bearer sa_x');
  assert.is(world.seen.get('idempotency-key'), 'abc');
  assert.is(world.seen.get('x-request-id'), 'caller-0001');
  for (const name of ['x-scan-audit-org', 'cookie', 'x-forwarded-for']) assert.is(world.seen.get(name), null, name);
});

app('passes on a key that gRPC cannot carry as an invalid one', async (world) => {
  await send(world, { path: '/api/v1/scans/a', headers: { authorization: 'Bearer sa_\u00e9' } });
  assert.is(world.seen.get('authorization'), 'Bearer sa_?');
});

app('returns what core says about the call, and no other header of it', async (world) => {
  const { headers } = await send(world, post('{"url":"a"}'));
  assert.is(headers.get('ratelimit'), '"key";r=9;t=1');
  assert.is(headers.get('idempotency-replayed'), 'true');
  assert.is(headers.get('x-internal'), null);
});

app('puts security headers and a request id on every answer', async (world) => {
  const answers = await Promise.all([
    send(world, { path: '/api/v1/scans/a' }),
    send(world, { path: '/nothing' }),
    send(world, { path: '/api/v1/scans/%zz' }),
    send(world, { method: 'DELETE' }),
    send(world, post('{')),
  ]);
  for (const { headers, status } of answers) {
    assert.is(headers.get('x-content-type-options'), 'nosniff', String(status));
    assert.is(headers.get('cache-control'), 'no-store');
    assert.is(headers.get('x-frame-options'), 'DENY');
    assert.match(headers.get('content-security-policy') ?? '', "default-src 'none'");
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

app('takes a request id that is safe to log, and makes one in place of any other', async (world) => {
  const idFor = async (id: string) =>
    (await send(world, { path: '/nothing', headers: { 'x-request-id': id } })).headers.get('x-request-id');
  assert.is(await idFor('build-17.step_3'), 'build-17.step_3');
  for (const id of ['short', 'has spaces in it', 'x'.repeat(65), '"quoted-id"']) assert.is.not(await idFor(id), id);
});

app('repeats the request id in the body of a problem', async (world) => {
  const answer = await send(world, { path: '/api/v1/scans/missing', headers: { 'x-request-id': 'caller-0002' } });
  assert.is(answer.status, 404);
  assert.match(answer.headers.get('content-type') ?? '', 'application/problem+json');
  const { requestId } = (await answer.json()) as { requestId: string };
  assert.is(requestId, 'caller-0002');
});

app('reports nothing about an unexpected error', async (world) => {
  const answer = await send(world, { path: '/api/v1/scans/crash' });
  assert.ok(answer.status >= 500);
  assert.not.match(await answer.text(), 'SELECT');
});

app('answers HEAD like GET, without a body', async (world) => {
  const [head, get] = await Promise.all([
    send(world, { path: '/api/v1/scans/a', method: 'HEAD' }),
    send(world, { path: '/api/v1/scans/a' }),
  ]);
  assert.is(head.status, 200);
  assert.is(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.is(await head.text(), '');
});

app('answers 204 without a body', async (world) => {
  const answer = await send(world, { path: '/api/v1/domains/a.com/logins/b', method: 'DELETE' });
  assert.is(answer.status, 204);
  assert.is(await answer.text(), '');
});

app('serves a document as it is, with a policy that lets nothing run', async (world) => {
  const answer = await send(world, { path: '/api/v1/scans/a/report', headers: { accept: 'text/html' } });
  assert.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, "default-src 'none'");
  assert.match(policy, 'sandbox');
  assert.not.match(policy, /script-src|allow-scripts/);
  assert.is(await answer.text(), '<h1>ü</h1>');
});

for (const path of [
  '/',
  '/api/v1',
  '/api/v2/scans',
  '/api/v1/scans/',
  '/api/v1/scans//gate',
  '/API/v1/scans',
  '/api/v1/scans/a/b',
]) {
  app(`answers 404 for ${path}, which is no path of the API`, async (world) => {
    const answer = await send(world, { path });
    assert.is(answer.status, 404);
    const problem = (await answer.json()) as { code: string; detail: string };
    assert.is(problem.code, 'not_found');
    assertSaysWhatToDo(problem.detail);
  });
}

for (const [method, path, allow] of [
  ['DELETE', '/api/v1/scans', 'GET, HEAD, POST'],
  ['PUT', '/api/v1/scans?limit=1', 'GET, HEAD, POST'],
  ['OPTIONS', '/api/v1/scans', 'GET, HEAD, POST'],
  ['POST', '/api/v1/scans/a', 'GET, HEAD'],
  ['QUERY', '/api/v1/scans/a', 'GET, HEAD'],
  ['POST', '/openapi.json', 'GET, HEAD'],
  ['DELETE', '/docs', 'GET, HEAD'],
  ['GET', '/api/v1/scans/a/cancel', 'POST'],
] as const) {
  app(`answers 405 for ${method} ${path} and says what is allowed`, async (world) => {
    const answer = await send(world, { method, path });
    assert.is(answer.status, 405);
    assert.is(answer.headers.get('allow'), allow);
    assertSaysWhatToDo(((await answer.json()) as { detail: string }).detail);
  });
}

/** The detail of a problem in an answer as it came over the connection. */
const detailIn = (answer: string) => JSON.parse(/^\{.*\}$/m.exec(answer)?.[0] ?? '{}').detail;

app('refuses two idempotency keys', async (world) => {
  const { hostname, port } = new URL(world.it.baseUrl);
  const head = 'POST /api/v1/scans HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 11\r\n';
  const keys = 'idempotency-key: a\r\nidempotency-key: b\r\nconnection: close\r\n';
  const answer = await raw(hostname, Number(port), `${head}${keys}\r\n{"url":"a"}`);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, '"field":"Idempotency-Key"');
  assertSaysWhatToDo(detailIn(answer));
});

app('refuses a body where none is taken', async (world) => {
  const { hostname, port } = new URL(world.it.baseUrl);
  const answer = await raw(
    hostname,
    Number(port),
    'GET /api/v1/scans HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, '"code":"invalid_body"');
  assertSaysWhatToDo(detailIn(answer));
});

app('takes no body for an empty one', async (world) => {
  const answer = await send(world, { method: 'POST', headers: { 'content-type': 'application/json' } });
  assert.is(answer.status, 201);
  assert.is(world.started[0]?.url, '');
});

app('answers 400 for two Host headers, equal or not, before it asks anybody', async (world) => {
  const { hostname, port } = new URL(world.it.baseUrl);
  for (const second of ['b', 'a']) {
    const hosts = `host: a\r\nHOST: ${second}\r\n`;
    const answer = await raw(hostname, Number(port), `GET /api/v1/scans HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, '"code":"bad_request"');
  }
  assert.equal(world.checked, []);
});

app('answers what is not HTTP with a problem too', async (world) => {
  const { hostname, port } = new URL(world.it.baseUrl);
  const answer = await raw(hostname, Number(port), 'HELLO\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answer, 'content-type: application/problem+json');
  assert.match(answer, '"code":"bad_request"');
  assertSaysWhatToDo(detailIn(answer));
});

app('answers 431 for headers that are too large', async (world) => {
  const { hostname, port } = new URL(world.it.baseUrl);
  const answer = await raw(hostname, Number(port), `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 431 /);
  assert.match(answer, '"code":"headers_too_large"');
  assertSaysWhatToDo(detailIn(answer));
});

app('cancels the call to core when the caller goes away', async (world) => {
  const caller = new AbortController();
  const request = send(world, { path: '/api/v1/scans/a/gate?wait=55', signal: caller.signal });
  setTimeout(() => caller.abort(), 100);
  await request.then(
    () => assert.unreachable(),
    () => {},
  );
  await world.canceled;
});

function raw(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

app.run();
