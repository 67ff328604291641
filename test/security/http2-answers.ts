import { createServer, type TLSSocket } from 'node:tls';
import * as assert from 'uvu/assert';
import { certificateFor, listen } from '../workflows/probe/support.ts';
import { atTarget, encounter } from './encounter.ts';
import { bomb, endHeaders, endless, endStream, frame, literal, number, ok, repeat } from './http2-frames.ts';

/** What each answers a request on stream 1 with, after its SETTINGS; and how that ends. */
export const answers: Record<string, [answer: (socket: TLSSocket) => unknown, outcomes: string[]]> = {
  'continuation frames without end': [
    (socket) => {
      socket.write(frame('headers', 0, 1, ok));
      endless(socket, repeat(frame('continuation', 0, 1, literal('a', 'b'))));
    },
    ['protocol_error', 'unreachable'],
  ],
  'continuation frames of nothing': [
    (socket) => {
      socket.write(frame('headers', 0, 1, ok));
      endless(socket, repeat(frame('continuation', 0, 1)));
    },
    ['protocol_error', 'unreachable'],
  ],
  'a small head that unpacks to 48 MB': [
    (socket) => socket.write(frame('headers', endHeaders, 1, bomb)),
    ['protocol_error', 'too_large'],
  ],
  'ten thousand fields': [
    (socket) => {
      const fields = Array.from({ length: 10_000 }, (_, index) => literal(`h${index}`, 'x'));
      const block = Buffer.concat([ok, ...fields]);
      socket.write(frame('headers', 0, 1, block.subarray(0, 16_000)));
      for (let at = 16_000; at < block.length; at += 16_000)
        socket.write(
          frame('continuation', at + 16_000 >= block.length ? endHeaders : 0, 1, block.subarray(at, at + 16_000)),
        );
    },
    ['protocol_error', 'too_large', 'unreachable'],
  ],
  'a reset of every stream': [
    (socket) => socket.write(frame('reset', 0, 1, number(2))),
    ['unreachable', 'protocol_error'],
  ],
  'resets without end': [
    (socket) => endless(socket, repeat(frame('reset', 0, 1, number(8)))),
    ['unreachable', 'protocol_error'],
  ],
  'settings without end': [
    (socket) => endless(socket, repeat(frame('settings', 0, 0, Buffer.concat([Buffer.of(0, 1), number(4096)])))),
    ['timeout', 'protocol_error', 'unreachable'],
  ],
  'pings without end': [
    (socket) => endless(socket, repeat(frame('ping', 0, 0, Buffer.alloc(8)))),
    ['timeout', 'protocol_error', 'unreachable'],
  ],
  'priorities without end': [
    (socket) => endless(socket, repeat(frame('priority', 0, 3, Buffer.alloc(5, 1)))),
    ['timeout', 'protocol_error', 'unreachable'],
  ],
  'alternative services without end': [
    (socket) =>
      endless(socket, repeat(frame('altsvc', 0, 0, Buffer.concat([Buffer.of(0, 1), Buffer.from('ah2=":443"')])))),
    ['timeout', 'protocol_error', 'unreachable'],
  ],
  'interim answers without end': [
    (socket) =>
      endless(socket, repeat(frame('headers', endHeaders, 1, Buffer.concat([Buffer.of(8, 3), Buffer.from('103')])))),
    ['timeout', 'protocol_error', 'unreachable'],
  ],
  'data frames of nothing without end': [
    (socket) => {
      socket.write(frame('headers', endHeaders, 1, ok));
      endless(socket, repeat(frame('data', 0, 1)));
    },
    ['answer', 'protocol_error'],
  ],
  'a body without end, past its window': [
    (socket) => {
      socket.write(frame('headers', endHeaders, 1, ok));
      endless(socket, frame('data', 0, 1, Buffer.alloc(16_000)));
    },
    ['answer'],
  ],
  'a window that grows beyond its limit': [
    (socket) => socket.write(repeat(frame('window', 0, 0, number(0x7fffffff)), 3)),
    ['protocol_error', 'unreachable'],
  ],
  'a push that nobody wants': [
    (socket) => socket.write(frame('push', endHeaders, 1, Buffer.concat([number(2), ok]))),
    ['protocol_error', 'unreachable', 'timeout'],
  ],
  'a frame larger than allowed': [
    (socket) => socket.write(frame('data', 0, 1, Buffer.alloc(1_000_000))),
    ['protocol_error', 'unreachable'],
  ],
  'a head without a status': [
    (socket) => socket.write(frame('headers', endHeaders | endStream, 1, literal('a', 'b'))),
    ['protocol_error'],
  ],
  'a name in capitals, and a line break in a value': [
    (socket) =>
      socket.write(frame('headers', endHeaders | endStream, 1, Buffer.concat([ok, literal('X-Bad', 'a\r\nb: c')]))),
    ['protocol_error', 'answer'],
  ],
  'a broken table': [
    (socket) =>
      socket.write(frame('headers', endHeaders | endStream, 1, Buffer.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff))),
    ['protocol_error', 'unreachable'],
  ],
  'an early goodbye': [
    (socket) => socket.write(frame('goaway', 0, 0, Buffer.concat([number(0), number(11)]))),
    ['protocol_error', 'unreachable'],
  ],
  'an answer on a stream nobody opened': [
    (socket) => socket.write(frame('headers', endHeaders | endStream, 7, ok)),
    ['protocol_error', 'unreachable'],
  ],
  'what is not HTTP/2': [
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'),
    ['protocol_error', 'unreachable'],
  ],
  silence: [() => {}, ['timeout']],
};

/** Meets a server that answers so. It ends within its time and memory, as one of the given outcomes. */
export async function meetHttp2(what: string): Promise<void> {
  const [answer, outcomes] = answers[what] ?? [() => {}, []];
  const server = createServer({ ...(await certificateFor('shop.localhost')), ALPNProtocols: ['h2'] });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    socket.write(frame('settings', 0, 0));
    // The preface and the settings come with the request.
    socket.once('data', () => answer(socket));
  });
  const target = await listen(server, 'https');
  const met = await atTarget(target, () => encounter(target.url));
  assert.ok(outcomes.includes(met.outcome), `${what}: ${met.outcome}`);
  if (met.outcome === 'answer' && !what.startsWith('a name')) assert.is(met.truncated, true, what);
}
