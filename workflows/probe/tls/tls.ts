import type { Socket } from 'node:net';
import { ProbeError } from '../../model/probe-error.ts';
import type { TlsHandshake, TlsProbe, TlsRequest } from '../../model/tls.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import type { Guard } from '../guard/guard.ts';
import { hangUp, openSocket } from '../http/connect.ts';
import type { Recorder } from '../recorder.ts';
import type { Scope } from '../scope.ts';
import { exchangeHello } from './hello/exchange.ts';
import { lookAt } from './hello/look.ts';
import { inTheClear } from './in-the-clear.ts';
import { referenceHandshake } from './reference.ts';
import { shake } from './shake.ts';
import type { Trust } from './trust.ts';

type TlsParts = {
  scope: Scope;
  guard: Guard;
  budget: Budget;
  recorder: Recorder;
  trust: Trust;
  signal: AbortSignal;
};

const defaultTimeoutMs = 10_000;

/** The TLS instrument: each handshake, and each hello, is made on a connection of its own, which is closed right after. */
export function createTlsProbe(parts: TlsParts): TlsProbe {
  const handshake = async (request: TlsRequest): Promise<TlsHandshake> => {
    const { reference } = request;
    if (reference) return referenceHandshake({ ...request, reference }, parts.trust, parts.signal);
    try {
      return await connected(parts, request, 'TLS', (socket, signal) => shaken(parts, request, socket, signal));
    } catch (error) {
      const seen =
        error instanceof ProbeError && error.code === 'tls_failed' && (await inTheClear(probe, parts.trust, request));
      if (seen) return seen;
      throw error;
    }
  };
  const probe: TlsProbe = {
    handshake,
    presented: once((server) => handshake(server)),
    hello: (request) =>
      connected(parts, request, 'ClientHello', (socket, signal) => exchangeHello(socket, request, signal)),
    look: once((server) => lookAt(probe, server)),
  };
  return probe;
}

/** Does it once for each server, whoever asks. What failed stays failed: asking again would take as long again. */
function once<T>(work: (server: TlsServer) => Promise<T>): (server: TlsServer) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return ({ host, port }) => {
    const key = `${host}:${port}`;
    const result = results.get(key) ?? work({ host, port });
    results.set(key, result);
    return result;
  };
}

/** Works on a new connection within scope, budget and time, and notes how it went. @throws ProbeError */
async function connected<T extends { protocol: string } | { version: string; alert: string }>(
  parts: TlsParts,
  { host, port, timeoutMs: givenMs }: TlsServer & { timeoutMs?: number },
  method: string,
  work: (socket: Socket, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { scope, guard, budget, recorder } = parts;
  if (!scope.covers(host, port))
    throw new ProbeError('out_of_scope', `${host}:${port} is not what this scan may connect to`);
  const timeoutMs = Math.min(givenMs ?? defaultTimeoutMs, Math.max(1, budget.remainingMs()));
  using limit = timeLimit(parts.signal, timeoutMs, `the TLS handshake with ${host}:${port}`);
  const startMs = performance.now();
  const note = (outcome: string) =>
    recorder.note({
      instrument: 'tls',
      method,
      url: `${host}:${port}`,
      outcome,
      elapsedMs: performance.now() - startMs,
    });
  try {
    limit.pause();
    await budget.take(limit);
    const slot = await budget.connections.take(limit);
    limit.resume();
    try {
      const socket = await openSocket(guard, { host, port }, limit);
      const result = await work(socket, limit).finally(() => hangUp(socket));
      note('protocol' in result ? result.protocol : result.version || result.alert);
      return result;
    } finally {
      slot.release();
    }
  } catch (error) {
    const known = probeErrorFrom(error, limit);
    note(known.code);
    throw known;
  }
}

async function shaken(
  { trust }: TlsParts,
  request: TlsRequest,
  socket: Socket,
  signal: AbortSignal,
): Promise<TlsHandshake> {
  const { authorities, isOwn } = trust;
  const { remoteAddress = '' } = socket;
  const seen = await shake(request, socket, { context: trust.context(request), authorities, isOwn }, signal);
  return { ...seen, remoteAddress };
}
