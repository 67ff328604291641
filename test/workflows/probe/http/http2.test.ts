import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificateFor, codeOf, httpsTarget, listen, openFor, runId, type Target } from '../support.ts';

const http2 = suite('the HTTP instrument over HTTP/2');

type Answer = (stream: ServerHttp2Stream, raw: readonly string[]) => void;

/** A server that speaks HTTP/2, and HTTP/1.1 as well when it is asked to. */
async function http2Target(answer: Answer, { allowHTTP1 = false } = {}): Promise<Target> {
  const server: Http2SecureServer = createSecureServer({ ...(await certificateFor('shop.localhost')), allowHTTP1 });
  server.on('sessionError', () => {});
  server.on('stream', (stream, _headers, _flags, raw: string[] = []) => {
    stream.on('error', () => {});
    answer(stream, raw);
  });
  server.on('request', (request, response) => {
    if (request.httpVersion === '1.1') response.end(`1.1 ${request.rawHeaders.join()}`);
  });
  return listen(server, 'https');
}

const field = (raw: readonly string[], name: string) => raw[raw.indexOf(name) + 1] ?? '';

/** A target's answers to what `work` asks. */
async function at<T>(target: Target, work: (probes: ReturnType<typeof openFor>) => Promise<T>): Promise<T> {
  const probes = openFor(target.url);
  try {
    return await work(probes);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}

http2('audits a host that speaks nothing else, and says so in what is recorded', async () => {
  const target = await http2Target((stream) => {
    stream.respond([
      ':status',
      '203',
      'x-one',
      'a',
      'set-cookie',
      'a=1',
      'x-one',
      'b',
      'set-cookie',
      'b=2',
      'content-encoding',
      'gzip',
    ] as never);
    stream.end(gzipSync('over two'));
  });
  await at(target, async ({ http }) => {
    const exchange = await http.get(target.url);
    assert.is(exchange.httpVersion, '2');
    assert.is(exchange.status, 203);
    assert.is(exchange.text, 'over two');
    assert.equal(exchange.headerValues('set-cookie'), ['a=1', 'b=2']);
    assert.equal(exchange.headerValues('X-One'), ['a', 'b']);
    assert.is(exchange.remoteAddress, '127.0.0.1');
    assert.is(await codeOf(http.get(target.url, { httpVersion: '1.1' })), 'tls_failed');
  });
});

http2('sends path, query, fields and body as they were written', async () => {
  const seen: (readonly string[])[] = [];
  const bodies: string[] = [];
  const target = await http2Target((stream, raw) => {
    seen.push(raw);
    let body = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      body += chunk;
    });
    stream.on('end', () => {
      bodies.push(body);
      stream.respond({ ':status': 200 });
      stream.end();
    });
  });
  await at(target, async ({ http, licensed }) => {
    const paths = ['/a/../b', '/%2e%2e/x', '//double//', '/a;b=c?x=1&x=%20+%zz', '/\'"<>|^`{}'];
    for (const path of paths) await http.get(target.url + path);
    assert.equal(
      seen.map((raw) => field(raw, ':path')),
      paths,
    );
    const headers: [string, string][] = [
      ['X-Twice', '1'],
      ['X-Twice', '2'],
      ['Host', 'elsewhere:1'],
    ];
    await licensed('write').send({ method: 'POST', url: `${target.url}/post`, headers, body: 'a=ü' });
    const last = seen.at(-1) ?? [];
    assert.is(field(last, ':authority'), 'elsewhere:1');
    assert.is(field(last, ':method'), 'POST');
    assert.is(field(last, 'x-scan-audit-run'), runId);
    assert.match(last.join(), /x-twice,1,x-twice,2/);
    assert.is(field(seen[0] ?? [], ':authority'), new URL(target.url).host);
    assert.is(bodies.at(-1), 'a=ü');
    for (const bad of [
      ['Bad', 'a\r\nb: c'],
      ['B d', 'x'],
    ] as [string, string][])
      assert.is(await codeOf(http.get(target.url, { headers: [bad] })), 'protocol_error');
  });
});

http2(
  'speaks HTTP/1.1 with a host that prefers HTTP/2 when a request demands it, or cannot be said otherwise',
  async () => {
    const target = await http2Target((stream) => stream.respond({ ':status': 200 }, { endStream: true }), {
      allowHTTP1: true,
    });
    await at(target, async ({ http }) => {
      assert.is((await http.get(target.url)).httpVersion, '2');
      const demanded = await http.get(target.url, { httpVersion: '1.1', headers: [['X-OWN', 'x']] });
      assert.is(demanded.httpVersion, '1.1');
      assert.match(demanded.text, /X-OWN,x/);
      assert.is(
        (await http.get(target.url, { headers: [['Connection', 'keep-alive, X-Forwarded-For']] })).httpVersion,
        '1.1',
      );
      assert.is((await http.get(`${target.url}/again`)).httpVersion, '2');
      assert.is(target.connections(), 2);
    });
  },
);

http2('keeps connections and holds no more of them than it may', async () => {
  const target = await http2Target((stream) =>
    setTimeout(() => !stream.destroyed && stream.respond({ ':status': 200 }, { endStream: true }), 5),
  );
  await at(target, async ({ http }) => {
    for (let index = 0; index < 4; index++) await http.get(`${target.url}/${index}`);
    assert.is(target.connections(), 1);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => http.get(`${target.url}/p${index}`, { fresh: index % 5 === 0 })),
    );
    assert.ok(target.mostAtOnce() <= 5, `${target.mostAtOnce()} connections`);
  });
});

http2('falls back to HTTP/1.1 where a server asks for it, or its HTTP/2 is broken, and remembers it', async () => {
  for (const code of [0xd, 0x1]) {
    let streams = 0;
    const target = await http2Target(
      (stream) => {
        streams++;
        stream.close(code);
      },
      { allowHTTP1: true },
    );
    await at(target, async ({ http }) => {
      assert.is((await http.get(target.url)).httpVersion, '1.1');
      assert.is((await http.get(`${target.url}/next`)).httpVersion, '1.1');
      assert.is(streams, 1);
    });
  }
});

http2('reports the failure itself when there is no HTTP/1.1 to fall back to', async () => {
  const target = await http2Target((stream) => stream.close(0x1));
  await at(target, async ({ http, licensed }) => {
    assert.is(await codeOf(http.get(target.url)), 'protocol_error');
    assert.is(await codeOf(licensed('write').send({ method: 'POST', url: target.url, body: 'x' })), 'protocol_error');
  });
});

http2('asks again when the server says goodbye on a kept connection, unless the request acts', async () => {
  let streams = 0;
  const target = await http2Target((stream) => {
    if (++streams % 2 === 0) return void stream.session?.destroy();
    stream.respond({ ':status': 200 });
    stream.end(String(streams));
  });
  await at(target, async ({ http, licensed }) => {
    assert.is((await http.get(`${target.url}/a`)).text, '1');
    assert.is((await http.get(`${target.url}/b`)).text, '3');
    assert.is(await codeOf(licensed('write').send({ method: 'POST', url: target.url, body: 'x' })), 'unreachable');
  });
});

http2('keeps what came before an answer breaks off', async () => {
  const target = await http2Target((stream, raw) => {
    const end = () =>
      field(raw, ':path') === '/stream' ? stream.destroy(new Error('broken')) : stream.session?.destroy();
    stream.respond({ ':status': 200 });
    stream.write('first part', () => setTimeout(end, 50));
  });
  await at(target, async ({ http }) => {
    for (const path of ['/stream', '/connection']) {
      const { text, truncated } = await http.get(target.url + path);
      assert.is(text, 'first part');
      assert.ok(truncated, path);
    }
  });
});

http2('ends a request in time, and all of them when the run is canceled', async () => {
  const target = await http2Target(() => {});
  const cancel = new AbortController();
  const probes = openFor(target.url, { signal: cancel.signal });
  try {
    assert.is(await codeOf(probes.http.get(target.url, { timeoutMs: 300 })), 'timeout');
    const waiting = [1, 2, 3].map((index) => codeOf(probes.http.get(`${target.url}/${index}`)));
    setTimeout(() => cancel.abort(), 50);
    assert.equal(await Promise.all(waiting), ['canceled', 'canceled', 'canceled']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http2('speaks HTTP/1.1 with a host that knows nothing else', async () => {
  const target = await httpsTarget((_request, response) => response.end('x'));
  await at(target, async ({ http }) => assert.is((await http.get(target.url)).httpVersion, '1.1'));
});

http2.run();
