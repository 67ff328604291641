import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { messagesOf } from '../../../../workflows/probe/dns/stream.ts';
import { readBody } from '../../../../workflows/probe/http/body.ts';
import { createFrameReader } from '../../../../workflows/probe/http/frames.ts';
import { speakHttp1 } from '../../../../workflows/probe/http/http1.ts';
import { readReply } from '../../../../workflows/probe/smtp/dialogue.ts';
import { describeCertificate } from '../../../../workflows/probe/tls/certificate.ts';
import { filled, KiB, type Row, row } from '../row.ts';

const quiet = new AbortController().signal;

/** A connection on which a server has sent these pieces. */
function received(pieces: readonly Buffer[]): Socket {
  const stream = new PassThrough({ highWaterMark: 1024 * KiB });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return stream as unknown as Socket;
}

const byteByByte = (bytes: Buffer): Buffer[] => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

const replies: Record<string, () => Buffer[]> = {
  'that does not come to an end': () => [Buffer.from(filled('250-a\r\n', 1024 * KiB))],
  'of one line without an end': () => [Buffer.from(filled('250 ', 1024 * KiB))],
  'that comes byte by byte': () => byteByByte(Buffer.from(filled('220-\r', 16 * KiB))),
};

const smtp = Object.entries(replies).map(([what, make]) =>
  row(`the reply of a mail server ${what}`, ['workflows/probe/smtp/dialogue.ts'], make, (pieces) =>
    readReply(received(pieces), quiet),
  ),
);

const longest = (): Buffer => Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.alloc(65_535)]);
const streams: Record<string, () => Buffer[]> = {
  'that comes byte by byte': () => byteByByte(longest()),
  'of empty messages': () => Array.from({ length: 16 }, () => Buffer.alloc(64 * KiB)),
  'of the longest messages': () => Array.from({ length: 64 }, longest),
};

const dns = Object.entries(streams).map(([what, make]) =>
  row(`a stream of DNS ${what}`, ['workflows/probe/dns/stream.ts'], make, async (pieces) => {
    let bytes = 0;
    for await (const message of messagesOf(received(pieces))) bytes += message.length;
    return bytes;
  }),
);

/** A certificate with names as long and as many as TLS carries. */
async function certificateOf(names: readonly string[], subject: string): Promise<X509Certificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(0),
    notAfter: new Date(0),
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))],
  });
  return new X509Certificate(Buffer.from(made.rawData));
}

const certificates: Record<string, () => Promise<X509Certificate>> = {
  'of very many names': () =>
    certificateOf(
      Array.from({ length: 7_000 }, (_, index) => `h${index}.example`),
      'CN=a',
    ),
  'of names with quotes': () => certificateOf([filled('", DNS:"\\', 90 * KiB)], 'CN=a'),
  'of many quoted names': () =>
    certificateOf(
      Array.from({ length: 5_000 }, (_, index) => `", ${index}\\"`),
      'CN=a',
    ),
  'of a subject of many parts': () =>
    certificateOf(['a.example'], Array.from({ length: 2_000 }, (_, index) => `OU=part ${index}`).join(', ')),
};

const tls = Object.entries(certificates).map(([what, make]) =>
  row(`a described certificate ${what}`, ['workflows/probe/tls/certificate.ts'], make, async (certificate) =>
    describeCertificate(await certificate),
  ),
);

/** A server in a process of its own, which sends the head of an answer and then the same piece until nobody listens. */
async function sendingServer(head: string, piece: string): Promise<number> {
  const script = `
    const piece = Buffer.from(${JSON.stringify(piece)}.repeat(Math.ceil(65536 / ${piece.length})));
    require('node:net').createServer((socket) => {
      const send = () => { while (!socket.destroyed && socket.write(piece)); };
      socket.on('error', () => {}).on('close', () => process.exit()).on('drain', send);
      socket.once('data', () => { socket.write(${JSON.stringify(head)}); send(); });
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
    setTimeout(() => process.exit(), 120000);`;
  const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return Number(String(line));
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const endless: Record<string, [head: string, piece: string]> = {
  'whose chunk has an extension without end': [`${chunked}4;`, 'x'],
  'whose chunks have long extensions': [chunked, `1;${'x'.repeat(512)}\r\na\r\n`],
  'whose trailers do not end': [`${chunked}4\r\npart\r\n0\r\n`, 'Trailer: value\r\n'],
  'that many interim ones go before': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
};

const http = Object.entries(endless).map(([what, [head, piece]]) =>
  row(
    `an answer ${what}`,
    [],
    () => sendingServer(head, piece),
    async (port) => {
      const signal = AbortSignal.timeout(5_000);
      const socket = connect(await port, '127.0.0.1');
      const wire = speakHttp1('http://shop.example', socket);
      try {
        const request = {
          method: 'GET',
          authority: 'shop.example',
          path: '/',
          headers: [],
          isMessage: false,
          isLast: true,
        };
        const { body } = await wire.ask({ ...request, body: undefined, signal });
        return await readBody(body, '', 2 * 1024 * KiB, signal);
      } finally {
        wire.destroy();
      }
    },
  ),
);

const longFrame = (): Buffer => {
  const head = Buffer.alloc(10);
  head.set([0x81, 127]);
  head.writeBigUInt64BE(BigInt(1000 * KiB), 2);
  return Buffer.concat([head, Buffer.alloc(1000 * KiB, 'a')]);
};
const frames: Record<string, () => Buffer[]> = {
  'of one that comes byte by byte': () => byteByByte(longFrame()),
  'of empty ones': () => [Buffer.alloc(1000 * KiB, Buffer.from([0x81, 0]))],
  'of parts of one without an end': () => [Buffer.alloc(1000 * KiB, Buffer.from([0x00, 1, 97]))],
};

const messages = Object.entries(frames).map(([what, make]) =>
  row(`frames of a WebSocket, ${what}`, ['workflows/probe/http/frames.ts'], make, (pieces) => {
    const reader = createFrameReader();
    return pieces.reduce((count, piece) => count + reader.read(piece).length, 0);
  }),
);

/** What servers send on a connection before anything of it is a text. */
export const connectionRows: Row[] = [...smtp, ...dns, ...tls, ...http, ...messages];
