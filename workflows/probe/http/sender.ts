import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import type { Licence } from '../../model/gate.ts';
import type { HeaderList } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { bytesOfText } from '../../model/wire-bytes.ts';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, type TimeLimit } from '../errors.ts';
import type { Gate } from '../gate/gate.ts';
import type { Record, Recorder } from '../recorder.ts';
import type { Scope } from '../scope.ts';
import type { Connection } from './connection.ts';
import { needsHttp1 } from './http2.ts';
import type { ConnectionPool, WantedConnection } from './pool.ts';
import { type RequestTarget, requestTarget } from './request-target.ts';
import { type UnaskedMessages, unaskedByAddress } from './unasked-messages.ts';
import { Http1Required, type HttpVersion, StaleConnection, type WireRequest } from './wire.ts';

type Outgoing = {
  instrument: Record['instrument'];
  method: string;
  url: string;
  headers: HeaderList;
  body?: string | Uint8Array | undefined;
  fresh: boolean;
  /** Over HTTP/1.1 and nothing else; what the server prefers by default. */
  onlyHttp1?: boolean;
  signal: AbortSignal;
  /** Of this request; it stands still while the request waits for its turn and for a connection. */
  clock?: Pick<TimeLimit, 'pause' | 'resume'>;
  /** What it may do beyond what the gate lets anybody do. */
  licence?: Licence | undefined;
};

/** An answer whose body is still on the wire, as it was encoded. Its `end` must be called once. */
export type Incoming = {
  status: number;
  httpVersion: HttpVersion;
  headers: HeaderList;
  body: Readable;
  remoteAddress: string;
  elapsedMs: number;
  /** @param complete the body was read to its end, so the connection can serve again */
  end(complete: boolean): void;
};

/**
 * Sends one request: in scope, past the write gate, within the budget, over a guarded connection; and records it.
 * @throws ProbeError
 */
export type Send = (request: Outgoing) => Promise<Incoming>;

/** @returns how many milliseconds since the call of waitClock this process has only waited: its own work says nothing of a target's health */
function waitClock(): () => number {
  const from = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(from).idle;
}

type SendParts = { scope: Scope; gate: Pick<Gate, 'pass'>; budget: Budget; pool: ConnectionPool; recorder: Recorder };

export function createSend({ scope, gate, budget, pool, recorder }: SendParts): Send {
  /** Origins whose HTTP/2 does not work, or not for all they have. */
  const withoutHttp2 = new Set<string>();
  const unaskedAt = unaskedByAddress();

  const sendOnce = async (request: Outgoing, target: RequestTarget, wanted: WantedConnection): Promise<Incoming> => {
    request.clock?.pause();
    await budget.take(request.signal);
    let startMs = performance.now();
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
    // What waits for its connection cannot be interrupted otherwise.
    const cut = () => connection?.destroy();
    request.signal.addEventListener('abort', cut, { once: true });
    try {
      connection = await pool.lease(target, wanted, request.signal);
      assertTimeLeft(budget);
      request.clock?.resume();
      startMs = performance.now();
      const waited = waitClock();
      const { status, headers, body } = await connection.ask(
        wireRequest(request, target, target.isSocket ? unaskedAt(request.url) : undefined),
      );
      const elapsedMs = elapsed();
      budget.observe({ status, elapsedMs: waited(), retryAfter: retryAfter(headers) });
      note(String(status));
      // A server that turns a request away may leave its body unread, and take it for the next request: what it answers to that would be taken for the answer to ours.
      const mayHaveRest = request.body !== undefined && status >= 300 && connection.version() === '1.1';
      const release = releaseOf(connection, wanted.fresh || mayHaveRest ? undefined : pool);
      const end = (complete: boolean) => {
        request.signal.removeEventListener('abort', cut);
        release(complete);
      };
      const httpVersion = connection.version() ?? '1.1';
      return { status, httpVersion, headers, body, remoteAddress: connection.remoteAddress(), elapsedMs, end };
    } catch (error) {
      request.clock?.resume();
      request.signal.removeEventListener('abort', cut);
      connection?.destroy();
      const known = probeErrorFrom(error, request.signal);
      note(known.code);
      const again = howAgain(request, wanted, connection, error, known);
      if (!again) throw known;
      const answer = await sendOnce(request, target, again).catch((failure: unknown) => {
        // Without HTTP/1.1 either, the first failure says more.
        throw again.onlyHttp1 && !wanted.onlyHttp1 && !request.signal.aborted ? known : failure;
      });
      if (again.onlyHttp1) withoutHttp2.add(target.origin);
      return answer;
    }
  };

  return async (request) => {
    const target = requestTarget(request.url);
    if (!scope.covers(target.host, target.port))
      throw new ProbeError('out_of_scope', `${target.origin} is not what this scan may send requests to`);
    const prefix = scope.excludedBy(request.url);
    if (prefix !== undefined) throw new ProbeError('excluded', `the org excluded ${prefix} from the audit`);
    gate.pass(request, request.licence);
    const { isSocket } = target;
    const onlyHttp1 = request.onlyHttp1 || withoutHttp2.has(target.origin) || needsHttp1(request.headers) || isSocket;
    return sendOnce(request, target, { fresh: request.fresh || isSocket, onlyHttp1 });
  };
}

function wireRequest(
  { method, headers, body, fresh, signal }: Outgoing,
  target: RequestTarget,
  unasked: UnaskedMessages | undefined,
): WireRequest {
  const { path, origin, isSocket } = target;
  const authority = new URL(origin).host;
  const bytes = typeof body === 'string' ? bytesOfText(body) : body;
  const common = { method, authority, path, headers, body: bytes, signal };
  return { ...common, isMessage: isSocket, isLast: fresh || isSocket, ...(unasked && { unasked }) };
}

function assertTimeLeft(budget: Budget): void {
  if (budget.remainingMs() === 0)
    throw new ProbeError('out_of_time', 'the time was used up before a connection was free');
}

/** How a request that failed is sent once more without repeating anything; undefined when it is not. */
function howAgain(
  request: Outgoing,
  wanted: WantedConnection,
  connection: Connection | undefined,
  error: unknown,
  { code }: ProbeError,
): WantedConnection | undefined {
  if (error instanceof StaleConnection) return { ...wanted, fresh: true };
  if (request.signal.aborted || connection?.version() === undefined) return undefined;
  const isHttp2 = connection.version() === '2';
  if (isHttp2 && error instanceof Http1Required) return { ...wanted, onlyHttp1: true };
  if (!isRepeatable(request)) return undefined;
  if (isHttp2 && code === 'protocol_error') return { ...wanted, onlyHttp1: true };
  return connection.uses > 0 && code === 'unreachable' ? { ...wanted, fresh: true } : undefined;
}

/** @param pool takes the connection back afterwards; without one it is closed */
function releaseOf(connection: Connection, pool: ConnectionPool | undefined): Incoming['end'] {
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
