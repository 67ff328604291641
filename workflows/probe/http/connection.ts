import type { Socket } from 'node:net';
import type { Slot } from '../budget/slots.ts';
import type { Guard } from '../guard/guard.ts';
import { openSocket, startTls } from './connect.ts';
import { speakHttp1 } from './http1.ts';
import { speakHttp2 } from './http2.ts';
import type { RequestTarget } from './request-target.ts';
import { type HttpVersion, StaleConnection, type Wire, type WireAnswer, type WireRequest } from './wire.ts';

/** One connection to one origin. It never connects a second time: a closed one is thrown away. */
export type Connection = {
  origin: string;
  /** What the server chose; undefined before it is connected. */
  version(): HttpVersion | undefined;
  /** Opens the connection first, when it is the first request on it. */
  ask(request: WireRequest): Promise<WireAnswer>;
  slot: Slot;
  /** Of the peer; "" before it is connected. */
  remoteAddress(): string;
  /** Requests that it has answered. */
  uses: number;
  isClosed(): boolean;
  /** Closes the socket at once, whatever is on its way. */
  destroy(): void;
  /** Ends a connection that nothing is on its way on. */
  end(): void;
};

type ConnectionOptions = {
  guard: Guard;
  target: RequestTarget;
  slot: Slot;
  /** Offer nothing but HTTP/1.1. Plain connections speak it anyway. */
  onlyHttp1: boolean;
  /** Called once, when the socket is gone. */
  onClosed(): void;
};

export function makeConnection({ guard, target, slot, onlyHttp1, onClosed }: ConnectionOptions): Connection {
  const stop = new AbortController();
  let socket: Socket | undefined;
  /** What is spoken on: the socket itself, or TLS on it. */
  let spoken: Socket | undefined;
  let wire: Wire | undefined;
  let peer = '';
  let closed = false;

  const close = () => {
    if (closed) return;
    closed = true;
    slot.release();
    onClosed();
  };
  const open = async (): Promise<Wire> => {
    const tcp = await openSocket(guard, target, stop.signal);
    socket = tcp;
    spoken = tcp;
    peer = tcp.remoteAddress ?? '';
    tcp.once('close', close);
    // The guard's check stays true for as long as the socket lives: nothing resolves again.
    if (target.scheme === 'http') return speakHttp1(target.origin, tcp);
    const ALPNProtocols = onlyHttp1 ? ['http/1.1'] : ['h2', 'http/1.1'];
    const secure = await startTls(tcp, target.host, stop.signal, { ALPNProtocols });
    spoken = secure;
    return secure.alpnProtocol === 'h2' ? speakHttp2(target.origin, secure) : speakHttp1(target.origin, secure);
  };
  const destroy = () => {
    stop.abort(new Error('connection destroyed'));
    if (wire) wire.destroy();
    else if (socket) socket.destroy();
    else close();
  };

  return {
    origin: target.origin,
    version: () => wire?.version,
    async ask(request) {
      if (closed) throw new StaleConnection();
      wire ??= await open();
      return wire.ask(request);
    },
    slot,
    uses: 0,
    remoteAddress: () => peer,
    // A server that said so closes after its answer: the socket is destroyed then, and reports it a moment later.
    isClosed: () => closed || spoken?.destroyed === true,
    destroy,
    end() {
      if (wire) wire.end().then(destroy);
      else destroy();
    },
  };
}
