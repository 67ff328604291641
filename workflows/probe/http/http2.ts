import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { HeaderList } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { hangUpMs } from './connect.ts';
import {
  Http1Required,
  maxHeaderBytes,
  maxHeaderFields,
  StaleConnection,
  type Wire,
  type WireRequest,
} from './wire.ts';

/** Fields of a connection, which HTTP/2 has no place for. Source: RFC 9113 §8.2.2. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Whether a request says what only HTTP/1.1 can say. */
export const needsHttp1 = (headers: HeaderList): boolean =>
  headers.some(([name, value]) => {
    const lower = name.toLowerCase();
    return ofConnection.has(lower) || (lower === 'te' && value.toLowerCase() !== 'trailers');
  });

/**
 * HTTP/2 on an open socket, one stream at a time: a target sees no more requests at once than it sees connections.
 * Nothing is pushed to us, and what the other side may make us keep is bounded.
 */
export function speakHttp2(origin: string, socket: TLSSocket): Wire {
  const session = connect(origin, {
    createConnection: () => socket,
    maxSessionMemory: maxSessionMebibytes,
    maxHeaderListPairs: maxHeaderFields,
    settings: { enablePush: false, maxHeaderListSize: maxHeaderBytes },
  });
  // Each stream hears of it, too.
  session.on('error', () => {});
  return {
    version: '2',
    ask: (request) => ask(session, request),
    // It takes the socket with it. Node 24 crashes when a TLS socket is destroyed under a session.
    destroy: () => session.destroy(),
    end: () => sayGoodbye(session),
  };
}

const maxSessionMebibytes = 4;

async function ask(session: ClientHttp2Session, request: WireRequest) {
  if (session.closed || session.destroyed) throw new StaleConnection();
  const { body, signal } = request;
  const stream = session.request(fieldsOf(request), { endStream: body === undefined, signal });
  // A failing body is the reader's matter; without this it would also be nobody's, and end the process.
  stream.on('error', () => {});
  if (body !== undefined) stream.end(body);
  return { ...(await headOf(stream)), body: Readable.from(whole(stream), { objectMode: false }) };
}

/** To a stream, a connection that breaks off is an end like any other. */
async function* whole(stream: ClientHttp2Stream): AsyncGenerator<Buffer> {
  yield* stream;
  if (stream.rstCode) throw failureOf(stream);
}

function fieldsOf({ method, authority, path, headers }: WireRequest): string[] {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const others = headers.filter(([name]) => !['host', 'content-length'].includes(name.toLowerCase()));
  const bad = others.find(([name, value]) => !isToken.test(name) || !isFieldValue.test(value));
  if (bad) throw new ProbeError('protocol_error', `${JSON.stringify(bad[0])} is not a field that can be sent`);
  return [
    ':method',
    method,
    ':scheme',
    'https',
    ':authority',
    host ?? authority,
    ':path',
    path,
    ...others.flatMap(([name, value]) => [name.toLowerCase(), value]),
  ];
}

/** Source: RFC 9110 §5.1 and §5.5. */
const isToken = /^[\w!#$%&'*+.^`|~-]+$/;
const isFieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function headOf(stream: ClientHttp2Stream): Promise<{ status: number; headers: HeaderList }> {
  return new Promise((resolve, reject) => {
    stream.once('response', (_fields, _flags, raw: string[] = []) => {
      const list: [string, string][] = [];
      for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? '']);
      const status = Number(list.find(([name]) => name === ':status')?.[1]);
      resolve({ status, headers: list.filter(([name]) => !name.startsWith(':')) });
    });
    stream.once('error', (error) => reject(failureOf(stream, error)));
    stream.once('close', () => reject(failureOf(stream)));
  });
}

/** Why a stream ended without an answer. Source: RFC 9113 §7. */
function failureOf({ rstCode }: ClientHttp2Stream, cause?: Error): Error {
  const name = codeNames.get(rstCode ?? constants.NGHTTP2_NO_ERROR) ?? String(rstCode);
  if (rstCode === constants.NGHTTP2_HTTP_1_1_REQUIRED) return new Http1Required();
  const isClosed = [
    constants.NGHTTP2_NO_ERROR,
    constants.NGHTTP2_REFUSED_STREAM,
    constants.NGHTTP2_CANCEL,
    constants.NGHTTP2_INTERNAL_ERROR,
  ].includes(rstCode ?? constants.NGHTTP2_NO_ERROR);
  const isBroken = cause !== undefined && 'code' in cause && cause.code === 'ERR_HTTP2_ERROR';
  return new ProbeError(isClosed && !isBroken ? 'unreachable' : 'protocol_error', `the answer was ended with ${name}`, {
    cause,
  });
}

const codeNames = new Map(
  Object.entries(constants)
    .filter(
      ([name]) =>
        /^NGHTTP2_[A-Z_0-9]+$/.test(name) &&
        !/^NGHTTP2_(?:ERR|FLAG|SESSION|STREAM|NV|SETTINGS_|HCAT|DEFAULT)/.test(name),
    )
    .map(([name, value]) => [Number(value), name.slice('NGHTTP2_'.length)]),
);

function sayGoodbye(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.destroyed) return resolve();
    const timer = setTimeout(() => session.destroy(), hangUpMs);
    session.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    session.close();
  });
}
