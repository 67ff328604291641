import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Slot } from '../budget/slots.ts';
import type { Guard } from '../guard/guard.ts';
import { hangUp, openSocket, startTls } from './connect.ts';
import type { RequestTarget } from './request-target.ts';

/** The connection was closed before the request was sent on it: sending it on another one repeats nothing. */
export class StaleConnection extends Error {
  override name = 'StaleConnection';
}

/** One HTTP/1.1 connection to one origin. It never connects a second time: a closed one is thrown away. */
export type Connection = {
  origin: string;
  client: Client;
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

/** Names and values of an answer together. Beyond it is an attack: browsers stop at 256 KiB, most servers at 16 KiB. */
const maxHeaderBytes = 128 * 1024;

/** @param onClosed is called once, when the socket is gone */
export function makeConnection(guard: Guard, target: RequestTarget, slot: Slot, onClosed: () => void): Connection {
  const stop = new AbortController();
  /** The outermost one: TLS where there is TLS. */
  let socket: Socket | undefined;
  let peer = '';
  let opened = false;
  let closed = false;

  const close = () => {
    if (closed) return;
    closed = true;
    slot.release();
    onClosed();
  };
  const open = async (): Promise<Socket> => {
    // undici connects again by itself; that socket would have no slot.
    if (opened) throw new StaleConnection();
    opened = true;
    const tcp = await openSocket(guard, target, stop.signal);
    socket = tcp;
    peer = tcp.remoteAddress ?? '';
    tcp.once('close', close);
    // The guard's check stays true for as long as the socket lives: nothing resolves again.
    if (target.scheme === 'https')
      socket = await startTls(tcp, target.host, stop.signal, { ALPNProtocols: ['http/1.1'] });
    return socket;
  };

  const client = new Client(target.origin, {
    connect: (_options, callback) => {
      open().then(
        (connected) => callback(null, connected),
        (error) => callback(error, null),
      );
    },
    maxHeaderSize: maxHeaderBytes,
    // The total time limit of each request rules; undici's own ones are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  });

  const destroy = () => {
    stop.abort(new Error('connection destroyed'));
    client.destroy().catch(() => {});
    if (socket) socket.destroy();
    else close();
  };

  return {
    origin: target.origin,
    client,
    slot,
    uses: 0,
    remoteAddress: () => peer,
    isClosed: () => closed,
    destroy,
    end() {
      if (socket) hangUp(socket).then(destroy);
      else destroy();
    },
  };
}
