import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import type { Guard } from '../guard/guard.ts';
import { hangUp, openSocket, startTls } from '../http/connect.ts';
import type { Recorder } from '../recorder.ts';
import type { Scope } from '../scope.ts';
import { ProbeError, type TlsHandshake, type TlsProbe, type TlsRequest } from '../types.ts';
import { chainOf } from './certificate.ts';
import type { Trust } from './trust.ts';

export type TlsParts = {
  scope: Scope;
  guard: Guard;
  budget: Budget;
  recorder: Recorder;
  trust: Trust;
  signal: AbortSignal;
};

const defaultTimeoutMs = 10_000;

/** The TLS instrument: one handshake on a connection of its own, which is closed right after. */
export function createTlsProbe(parts: TlsParts): TlsProbe {
  return {
    async handshake(request) {
      if (!parts.scope.covers(request.host, request.port))
        throw new ProbeError('out_of_scope', `${request.host}:${request.port} is not what this scan may connect to`);
      const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, Math.max(1, parts.budget.remainingMs()));
      using limit = timeLimit(parts.signal, timeoutMs, `the TLS handshake with ${request.host}:${request.port}`);
      const startMs = performance.now();
      const note = (outcome: string) =>
        parts.recorder.note({
          instrument: 'tls',
          method: 'TLS',
          url: `${request.host}:${request.port}`,
          outcome,
          elapsedMs: performance.now() - startMs,
        });
      try {
        limit.pause();
        await parts.budget.take(limit);
        limit.resume();
        const handshake = await shake(parts, request, limit);
        note(handshake.protocol);
        return handshake;
      } catch (error) {
        const known = probeErrorFrom(error, limit);
        note(known.code);
        throw known;
      }
    },
  };
}

async function shake(parts: TlsParts, request: TlsRequest, signal: AbortSignal): Promise<TlsHandshake> {
  const slot = await parts.budget.connections.take(signal);
  try {
    const socket = await openSocket(parts.guard, request, signal);
    const secure = await startTls(socket, request.host, signal, {
      secureContext: parts.trust.context(request),
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(request.serverName === undefined ? {} : { servername: request.serverName }),
    });
    const leaf = secure.getPeerX509Certificate();
    const authorizationError = codeOf(secure.authorizationError);
    const handshake = {
      protocol: secure.getProtocol() ?? '',
      cipher: secure.getCipher().standardName,
      alpn: secure.alpnProtocol || '',
      chain: chainOf(leaf),
      authorizationError,
      isPubliclyTrusted: leaf !== undefined && authorizationError === '' && !parts.trust.isOwn(leaf),
      remoteAddress: socket.remoteAddress ?? '',
    };
    await hangUp(secure);
    return handshake;
  } finally {
    slot.release();
  }
}

/** Node gives OpenSSL's code here as text, or an Error that has it. */
function codeOf(reason: unknown): string {
  if (reason instanceof Error) return 'code' in reason ? String(reason.code) : reason.message;
  return reason ? String(reason) : '';
}
