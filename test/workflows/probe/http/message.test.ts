import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyOfMessages } from '../../../../workflows/model/socket-messages.ts';
import { readBody } from '../../../../workflows/probe/http/body.ts';
import { speakHttp1 } from '../../../../workflows/probe/http/http1.ts';
import { createUnaskedMessages } from '../../../../workflows/probe/http/unasked-messages.ts';
import { acceptWebSockets } from '../../../fixtures/web-socket.ts';

const test = suite('messages over a WebSocket');

type Hear = (request: IncomingMessage, text: string, answer: (text: string) => void, socket: Duplex) => void;
type Open = (request: IncomingMessage, send: (text: string) => void, socket: Duplex) => void;

/** What answers these messages, and how long that takes. */
async function asked(
  bodies: readonly string[],
  { hear = () => {}, open, headers = [] }: { hear?: Hear; open?: Open; headers?: [string, string][] },
) {
  const server = createServer((_request, response) => response.writeHead(403).end('no'));
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => sockets.add(socket));
  acceptWebSockets(server, hear, open);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const unasked = createUnaskedMessages();
  const answers: { text: string; status: number; ms: number }[] = [];
  try {
    for (const body of bodies) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {});
      const wire = speakHttp1('http://shop.example', socket);
      const signal = AbortSignal.timeout(8_000);
      const startMs = performance.now();
      const request = { method: 'POST', authority: 'shop.example', path: '/', headers, isMessage: true, isLast: true };
      const answer = await wire.ask({ ...request, body, signal, unasked });
      const ms = performance.now() - startMs;
      const { bytes } = await readBody(answer.body, '', 2 ** 21, signal);
      answers.push({ text: Buffer.from(bytes).toString(), status: answer.status, ms });
      wire.destroy();
    }
    return answers;
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const texts = (answers: readonly { text: string }[]) => answers.map(({ text }) => text);

test('what opens the conversation goes first, and only what answers the last message is the answer', async () => {
  const heard: string[] = [];
  const answers = await asked([bodyOfMessages(['hello', 'auth a', 'search b'])], {
    open: (_request, send) => send('welcome'),
    hear(_request, text, answer) {
      heard.push(text);
      answer(`to ${text}`);
      if (text.startsWith('search')) answer('and more');
    },
  });
  assert.equal(heard, ['hello', 'auth a', 'search b']);
  assert.equal(texts(answers), ['to search b\nand more']);
});

test('what comes again and again without being asked is no answer, and its time is none', async () => {
  const answers = await asked(['get a', 'get b'], {
    open(_request, send, socket) {
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        send(JSON.stringify({ boats: count }));
      }, 60);
      socket.once('close', () => clearInterval(timer));
    },
    hear: (_request, text, answer) => setTimeout(() => answer(`to ${text}`), 700),
  });
  assert.equal(texts(answers), ['to get a', 'to get b']);
  assert.ok((answers[1]?.ms ?? 0) >= 700);
});

test('kinds of messages that are not answered are waited for once', async () => {
  const answers = await asked(['{"type":"join","room":"a"}', '{"type":"join","room":"b"}', '{"type":"get","id":1}'], {
    hear: (_request, text, answer) => text.includes('get') && setTimeout(() => answer('late'), 1_500),
  });
  assert.equal(texts(answers), ['', '', 'late']);
  assert.ok((answers[0]?.ms ?? 0) > 4_000);
  assert.ok((answers[1]?.ms ?? 9_999) < 2_000);
});

test('without a last message all that comes for a while is heard', async () => {
  const heard: string[] = [];
  const answers = await asked([bodyOfMessages(['join', ''])], {
    open: (_request, send) => setTimeout(() => send('somebody says'), 500),
    hear: (_request, text) => heard.push(text),
  });
  assert.equal([heard, texts(answers)], [['join'], ['somebody says']]);
});

test('a handshake that is refused is answered by its status, and the protocol of the page is asked for', async () => {
  let protocol: string | undefined;
  const answers = await asked(['get a'], {
    headers: [['Sec-WebSocket-Protocol', 'stock.v2']],
    open(request, send) {
      protocol = request.headers['sec-websocket-protocol'];
      send('x');
    },
    hear: (_request, _text, answer) => answer('y'),
  });
  assert.equal([protocol, texts(answers)], ['stock.v2', ['y']]);
  const server = createServer().on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const wire = speakHttp1('http://shop.example', socket);
  const request = { method: 'POST', authority: 'shop.example', path: '/', headers: [], isMessage: true, isLast: true };
  const { status } = await wire.ask({ ...request, body: 'a', signal: AbortSignal.timeout(5_000) });
  assert.is(status, 403);
  wire.destroy();
  server.close();
});

const endless = (frame: Buffer) => (_request: IncomingMessage, _send: (text: string) => void, socket: Duplex) => {
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(65_536 / frame.length) }, () => frame));
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send).on('error', () => {});
  send();
};
const hugeHead = Buffer.from([0x81, 127, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
const hostile: Record<string, Open> = {
  'frames without an end': endless(Buffer.from([0x81, 1, 97])),
  'empty frames without an end': endless(Buffer.from([0x81, 0])),
  'parts of one message without an end': endless(Buffer.from([0x01, 1, 97])),
  'pings without an end': endless(Buffer.from([0x89, 0])),
  'compressed frames without an end': endless(Buffer.from([0xc1, 3, 0x4a, 0x04, 0x00])),
  'a frame of petabytes': (request, send, socket) => {
    socket.write(hugeHead);
    endless(Buffer.alloc(1024))(request, send, socket);
  },
  'a close that it does not follow': (_request, _send, socket) => socket.write(Buffer.from([0x88, 0])),
  silence: () => {},
};
for (const [what, open] of Object.entries(hostile))
  test(`a server that sends ${what} holds nothing up`, async () => {
    const before = process.memoryUsage().rss;
    const [answer] = await asked(['get a'], { open });
    assert.ok((answer?.text.length ?? 0) <= 2 ** 21);
    assert.ok((answer?.ms ?? 9_999) < 7_500, `${answer?.ms}`);
    assert.ok(process.memoryUsage().rss - before < 200 * 2 ** 20);
  });

test.run();
