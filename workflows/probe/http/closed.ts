import { closedNote, type Exchange, type HeaderList } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { makeExchange } from './exchange.ts';
import type { Send } from './sender.ts';

/** For how long a server that answered is taken for one that answers. */
const recentMs = 5_000;
const badGateway = 502;

/** Whether the server took a request and ended the connection before anything of an answer came. */
export const isClosedUnanswered = (error: unknown): boolean => {
  if (!(error instanceof ProbeError && error.code === 'unreachable')) return false;
  const cause = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : '';
  return cause === 'UND_ERR_SOCKET' || cause === 'ECONNRESET' || cause === 'EPIPE';
};

export type Liveness = (url: string, headers: HeaderList, signal: AbortSignal) => Promise<boolean>;

/** Whether an origin answers at present, asked for its start page at most every five seconds. */
export function createLiveness(send: Send): Liveness {
  const answeredAt = new Map<string, number>();
  return async (url, headers, signal) => {
    const { origin } = new URL(url);
    if (performance.now() - (answeredAt.get(origin) ?? Number.NEGATIVE_INFINITY) < recentMs) return true;
    try {
      const request = { instrument: 'http', method: 'GET', url: `${origin}/`, headers, fresh: true } as const;
      const { end } = await send({ ...request, signal });
      end(false);
      answeredAt.set(origin, performance.now());
      return true;
    } catch (error) {
      if (error instanceof ProbeError) return false;
      throw error;
    }
  };
}

export const closedExchange = (request: Exchange['request'], elapsedMs: number, redirects: Exchange[]): Exchange =>
  makeExchange({
    request,
    status: badGateway,
    httpVersion: '1.1',
    headers: [closedNote],
    body: new Uint8Array(),
    truncated: false,
    remoteAddress: '',
    elapsedMs,
    redirects,
  });
