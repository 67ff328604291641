import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, type TimeLimit } from '../errors.ts';
import type { Record, Recorder } from '../recorder.ts';
import type { Scope } from '../scope.ts';
import { type HeaderList, ProbeError } from '../types.ts';
import { type Connection, StaleConnection } from './connection.ts';
import type { Pool } from './pool.ts';
import { type RequestTarget, requestTarget } from './request-target.ts';

export type Outgoing = {
  instrument: Record['instrument'];
  method: string;
  url: string;
  headers: HeaderList;
  body?: string | Uint8Array | undefined;
  fresh: boolean;
  signal: AbortSignal;
  /** Of this request; it stands still while the request waits for its turn. */
  clock?: Pick<TimeLimit, 'pause' | 'resume'>;
};

/** An answer whose body is still on the wire, as it was encoded. Its `end` must be called once. */
export type Incoming = {
  status: number;
  headers: HeaderList;
  body: Readable;
  remoteAddress: string;
  elapsedMs: number;
  /** @param complete the body was read to its end, so the connection can serve again */
  end(complete: boolean): void;
};

/**
 * Sends one request: in scope, within the budget, over a guarded connection; and records it.
 * @throws ProbeError
 */
export type Send = (request: Outgoing) => Promise<Incoming>;

/** More than this many fields in one answer is an attack, not a site. */
const maxHeaderFields = 1000;

export function createSend(parts: { scope: Scope; budget: Budget; pool: Pool; recorder: Recorder }): Send {
  const { scope, budget, pool, recorder } = parts;

  const sendOnce = async (request: Outgoing, target: RequestTarget, fresh: boolean): Promise<Incoming> => {
    request.clock?.pause();
    await budget.take(request.signal);
    request.clock?.resume();
    const startMs = performance.now();
    const elapsed = () => performance.now() - startMs;
    const note = (outcome: string) =>
      recorder.note({
        instrument: request.instrument,
        method: request.method,
        url: request.url,
        outcome,
        elapsedMs: elapsed(),
      });
    let connection: Connection | undefined;
    // undici cannot interrupt a request that waits for its connection.
    const cut = () => connection?.destroy();
    request.signal.addEventListener('abort', cut, { once: true });
    try {
      connection = await pool.lease(target, fresh, request.signal);
      const answer = await ask(connection, request, target);
      budget.observe({ status: answer.statusCode, elapsedMs: elapsed(), retryAfter: retryAfter(answer.headers) });
      note(String(answer.statusCode));
      const release = releaseOf(connection, fresh ? undefined : pool);
      return toIncoming(connection, answer, elapsed(), (complete) => {
        request.signal.removeEventListener('abort', cut);
        release(complete);
      });
    } catch (error) {
      request.signal.removeEventListener('abort', cut);
      connection?.destroy();
      const known = probeErrorFrom(error, request.signal);
      note(known.code);
      const reused = (connection?.uses ?? 0) > 0;
      const isLost = reused && isRepeatable(request) && known.code === 'unreachable';
      if (isLost || error instanceof StaleConnection) return sendOnce(request, target, true);
      throw known;
    }
  };

  return async (request) => {
    const target = requestTarget(request.url);
    if (!scope.covers(target.host, target.port))
      throw new ProbeError('out_of_scope', `${target.origin} is not what this scan may send requests to`);
    return sendOnce(request, target, request.fresh);
  };
}

type Answer = Omit<Dispatcher.ResponseData, 'headers'> & { headers: HeaderList };

async function ask(connection: Connection, request: Outgoing, target: RequestTarget): Promise<Answer> {
  const answer = await connection.client.request({
    path: target.path,
    method: request.method,
    headers: request.headers.flat(),
    body: request.body ?? null,
    signal: request.signal,
    reset: request.fresh,
    responseHeaders: 'raw',
  });
  return { ...answer, body: answer.body, headers: pairs(answer.headers) };
}

/** undici gives names and values in turn when asked for raw headers; its declaration does not say so. */
function pairs(raw: unknown): [string, string][] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  if (flat.length > maxHeaderFields * 2)
    throw new ProbeError('too_large', `more than ${maxHeaderFields} header fields`);
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}

function toIncoming(connection: Connection, answer: Answer, elapsedMs: number, end: Incoming['end']): Incoming {
  // A failing body is the reader's matter; without this it would also be nobody's, and end the process.
  answer.body.on('error', () => {});
  const remoteAddress = connection.remoteAddress();
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, remoteAddress, elapsedMs, end };
}

/** @param pool takes the connection back afterwards; without one it is closed */
function releaseOf(connection: Connection, pool: Pool | undefined): Incoming['end'] {
  return (complete) => {
    connection.uses++;
    if (!complete) connection.destroy();
    else if (pool) pool.giveBack(connection);
    else connection.end();
  };
}

const retryAfter = (headers: HeaderList) => headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];

/** A server may close an idle connection just as the next request goes out; that is nobody's fault. RFC 9112 §9.3.1. */
const isRepeatable = (request: Outgoing) => ['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !request.body;
