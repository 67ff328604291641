import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpTarget, listen } from '../workflows/probe/support.ts';
import { atTarget, startVisitor } from './encounter.ts';

const mebibyte = 1024 * 1024;
const hostile = suite('a hostile target');
/** One process meets them all, and one surveys them all: what each leaves behind counts against the next. */
const visitor = startVisitor();
const surveyor = startVisitor();

hostile.after(() => {
  visitor.close();
  surveyor.close();
});

/** 300 MiB of zeros, made without holding them. */
async function bomb(): Promise<Buffer> {
  const zeros = Buffer.alloc(mebibyte);
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(Array(300).fill(zeros)).pipe(createGzip())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const gzipBomb = await bomb();

/** Writes for as long as the other side reads. */
function endless(stream: Writable, chunk: Buffer): void {
  const pump = () => {
    while (!stream.destroyed && stream.write(chunk));
  };
  stream.on('drain', pump);
  pump();
}

/** Gzip in gzip in gzip, 300 kB of it, that comes to five billion members with nothing in them. */
function layersOfNothing(): Buffer {
  const members = gzipSync(Buffer.concat(Array(50_000).fill(gzipSync(''))));
  const layer = gzipSync(Buffer.concat(Array(1_000).fill(members)));
  return Buffer.concat(Array(100).fill(layer));
}

/** Zeros in a frame that wants 128 MiB to look back at. Source: RFC 8878 §3.1.1. */
function zstdOfLargeWindow(): Buffer {
  const blockOfZeros = Buffer.of(0x02, 0x00, 0x10, 0x00);
  const lastBlock = Buffer.of(0x03, 0x00, 0x10, 0x00);
  return Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88), ...Array(2_000).fill(blockOfZeros), lastBlock]);
}

const drip = (socket: Socket, text: string) => {
  let index = 0;
  const timer = setInterval(() => socket.write(text[index++ % text.length] ?? 'x'), 100);
  socket.once('close', () => clearInterval(timer));
};

const nested = '<div><b><p><table><a href=/x>'.repeat((50 * mebibyte) / 29);
const manyAttributes = `<a ${Array.from({ length: 400_000 }, (_, index) => `a${index}`).join(' ')} href=/x>`;
const script = '</title></script><img src=x onerror=alert(1)>"\'`';

const links = Array.from({ length: 100_000 }, (_, index) => `<a href="/${index.toString(36)}/page">x</a>`).join('');
/** As many cookies as an answer may have, with new names each time. */
const cookies = () =>
  Array.from({ length: 900 }, () => `c${Math.random().toString(36).slice(2, 10)}=${'x'.repeat(90)}; Path=/`);

const http: Record<string, (response: ServerResponse, request: IncomingMessage) => unknown> = {
  '/calm': (response) => response.end('calm'),
  '/gzip-bomb': (response) => response.setHeader('content-encoding', 'gzip').end(gzipBomb),
  '/double-bomb': (response) => response.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipBomb)),
  '/br-bomb': (response) =>
    response
      .setHeader('content-encoding', 'br')
      .end(brotliCompressSync(Buffer.alloc(100 * mebibyte), { params: { 1: 1 } })),
  '/layers-of-nothing': (response) => response.setHeader('content-encoding', 'gzip, gzip, gzip').end(layersOfNothing()),
  '/zstd-window': (response) => response.setHeader('content-encoding', 'zstd').end(zstdOfLargeWindow()),
  '/many-codings': (response) => response.setHeader('content-encoding', Array(50).fill('gzip').join()).end(gzipBomb),
  '/not-gzip': (response) => response.setHeader('content-encoding', 'gzip').end('plain text'),
  '/endless': (response) => endless(response, Buffer.alloc(64 * 1024, 'x')),
  '/endless-nothing': (response) => {
    response.setHeader('content-encoding', 'gzip');
    // Members without content: bytes on the wire for ever, none of them of the body.
    return endless(response, Buffer.concat(Array(1000).fill(gzipSync(''))));
  },
  '/json': (response) => {
    response.setHeader('content-type', 'application/json').write('{"next":"/json","list":[');
    return endless(response, Buffer.from('{"a":[[[["/x"]]]]},'.repeat(1000)));
  },
  '/links': (response) => response.setHeader('content-type', 'text/html').end(links),
  '/cookies': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies() })
      .end('<a href="/cookies/a">a</a><a href="/cookies/b">b</a><a href="/cookies/c">c</a>'),
  '/everything': (response, request) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<a href="${request.url}/deeper">x</a><a href="more${Math.random()}">y</a>`),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/chain': (response, request) => response.writeHead(302, { location: `${request.url}x` }).end(),
  '/nested': (response) => response.setHeader('content-type', 'text/html').end(nested),
  '/attributes': (response) => response.setHeader('content-type', 'text/html').end(manyAttributes),
  '/script': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', server: script, 'set-cookie': `${script}=1`, location: script })
      .end(
        `<title>${script}</title><form action='${script}'><input name='${script}'></form><a href='/${script}'>${script}</a>`,
      ),
};

/** What is not HTTP, or not all of it. */
const raw: Record<string, (socket: Socket) => unknown> = {
  silence: () => {},
  'drip of the status line': (socket) => drip(socket, 'HTTP/1.1 200 OK'),
  'drip of the body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
    drip(socket, 'x');
  },
  'ten thousand headers': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${Array.from({ length: 10_000 }, (_, index) => `h${index}: x\r\n`).join('')}\r\n`),
  'a header of a megabyte': (socket) => socket.end(`HTTP/1.1 200 OK\r\nbig: ${'x'.repeat(mebibyte)}\r\n\r\n`),
  'headers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    return endless(socket, Buffer.from('header: value\r\n'.repeat(10)));
  },
  'what is not HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  zeros: (socket) => socket.end(Buffer.alloc(1000)),
  'two lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  'less than promised': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'),
  'broken chunks': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\nzz\r\n'),
  'an extension of a chunk without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;');
    return endless(socket, Buffer.alloc(64 * 1024, 'x'));
  },
  'extensions of chunks without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    return endless(socket, Buffer.from(`1;${'x'.repeat(16 * 1024)}\r\na\r\n`));
  },
  'trailers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n0\r\n');
    return endless(socket, Buffer.from('Trailer: value\r\n'.repeat(100)));
  },
  'a protocol that was not asked for': (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    return endless(socket, Buffer.alloc(64 * 1024, 'x'));
  },
  'interim answers without end': (socket) => endless(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n')),
};

const site = () =>
  httpTarget((request, response) => {
    response.on('error', () => {});
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const answer = http[path] ?? http[/^\/(?:chain|cookies|everything)/.exec(path)?.[0] ?? ''];
    if (answer) return void answer(response, request);
    response.writeHead(404).end();
  });

for (const path of ['/gzip-bomb', '/double-bomb', '/br-bomb', '/endless']) {
  hostile(`with ${path} is cut where the body gets too large`, async () => {
    const target = await site();
    const met = await atTarget(target, () => visitor.meet(target.url + path));
    assert.is(met.outcome, 'answer');
    assert.is(met.truncated, true);
    assert.is(met.bytes, 2 * mebibyte);
  });
}

hostile('whose coding does not hold, or holds nothing, gets no more than its time', async () => {
  const target = await site();
  await atTarget(target, async () => {
    assert.is((await visitor.meet(`${target.url}/many-codings`)).outcome, 'protocol_error');
    assert.is((await visitor.meet(`${target.url}/not-gzip`)).outcome, 'protocol_error');
    assert.is((await visitor.meet(`${target.url}/zstd-window`)).outcome, 'protocol_error');
    assert.is((await visitor.meet(`${target.url}/endless-nothing`)).outcome, 'answer');
    assert.is((await visitor.meet(`${target.url}/layers-of-nothing`)).truncated, true);
  });
});

hostile('that redirects for ever is followed as often as asked for', async () => {
  const target = await site();
  await atTarget(target, async () => {
    for (const path of ['/loop', '/chain']) assert.is((await visitor.meet(target.url + path)).requests, 11, path);
  });
});

/** How each ends; "answer" as far as it came. */
const outcomes: Record<keyof typeof raw, string> = {
  silence: 'timeout',
  'drip of the status line': 'timeout',
  'drip of the body': 'answer',
  'ten thousand headers': 'too_large',
  'a header of a megabyte': 'too_large',
  'headers without end': 'too_large',
  'what is not HTTP': 'protocol_error',
  zeros: 'protocol_error',
  'two lengths': 'protocol_error',
  'less than promised': 'answer',
  'broken chunks': 'answer',
  'an extension of a chunk without end': 'protocol_error',
  'extensions of chunks without end': 'answer',
  'trailers without end': 'answer',
  'a protocol that was not asked for': 'unreachable',
  'interim answers without end': 'protocol_error',
};

async function meetRaw(name: string): Promise<[string, string]> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => raw[name]?.(socket));
  });
  const target = await listen(server, 'http');
  const { outcome, truncated } = await atTarget(target, () => visitor.meet(target.url));
  if (outcome === 'answer') assert.is(truncated, true, name);
  return [name, outcome];
}

hostile('that breaks off, stalls or sends what is not HTTP is given its time and no more', async () => {
  const names = Object.keys(outcomes);
  const met: [string, string][] = [];
  // What ends at once comes first: floods beside it would use up its time.
  for (const name of names.filter((each) => outcomes[each] !== 'timeout')) met.push(await meetRaw(name));
  met.push(...(await Promise.all(names.filter((each) => outcomes[each] === 'timeout').map(meetRaw))));
  assert.equal(Object.fromEntries(met), outcomes);
});

hostile('that stalls in the TLS handshake ends in time, whoever asks', async () => {
  const met = (['tls', 'get', 'survey'] as const).map(async (action) => {
    const target = await listen(
      createServer(() => {}),
      'https',
    );
    return (await atTarget(target, () => visitor.meet(target.url, action))).outcome;
  });
  assert.equal(await Promise.all(met), ['timeout', 'timeout', 'timeout']);
});

/** Most requests of a survey: everything that leads on without end is bounded by the pages of a survey, and the rest far below. */
const surveyed: Record<string, number> = {
  '/nested': 100,
  '/attributes': 100,
  '/gzip-bomb': 100,
  '/chain': 100,
  '/script': 100,
  '/endless': 100,
  '/json': 100,
  '/cookies': 100,
  '/everything': 420 + 36,
  '/links': 1_000,
};

for (const [path, maxRequests] of Object.entries(surveyed)) {
  hostile(`with ${path} is surveyed as far as it goes`, async () => {
    const target = await site();
    const met = await atTarget(target, () => surveyor.meet(target.url + path, 'survey'));
    assert.is(met.outcome, 'answer');
    assert.ok(met.requests < maxRequests, `${met.requests} requests`);
    if (path === '/links') assert.is(met.truncated, true);
  });
}

hostile.run();
