import type { ConnectionSlots } from '../budget/slots.ts';
import type { Guard } from '../guard/guard.ts';
import { type Connection, makeConnection } from './connection.ts';
import type { RequestTarget } from './request-target.ts';

export type ConnectionPool = {
  /**
   * A connection for one request: one that is idle, else a new one as soon as the limit allows it.
   * @throws the signal's reason
   */
  lease(target: RequestTarget, wanted: WantedConnection, signal: AbortSignal): Promise<Connection>;
  /** Gives a connection back whose answer was read to its end. */
  giveBack(connection: Connection): void;
  /** Closes every socket at once. */
  destroy(): void;
};

export type WantedConnection = {
  /** No connection that was used before. */
  fresh: boolean;
  /** One that speaks HTTP/1.1. */
  onlyHttp1: boolean;
};

/** Made once: the default reason is an exception with a stack, and there is one for almost every request. */
const handOver = new Error('another connection came first');

type Waiter = { origin: string; onlyHttp1: boolean; take(connection: Connection): void };

/** Keeps connections alive between requests, within the slots shared with the other instruments. */
export function createPool(guard: Guard, slots: ConnectionSlots): ConnectionPool {
  const open = new Set<Connection>();
  const idle = new Set<Connection>();
  const waiters: Waiter[] = [];

  const connect = async (target: RequestTarget, onlyHttp1: boolean, signal: AbortSignal): Promise<Connection> => {
    const slot = await slots.take(signal);
    const onClosed = () => {
      open.delete(connection);
      idle.delete(connection);
    };
    const connection = makeConnection({ guard, target, slot, onlyHttp1, onClosed });
    open.add(connection);
    return connection;
  };

  const takeIdle = (wanted: Omit<Waiter, 'take'>): Connection | undefined => {
    const found = [...idle].find((connection) => !connection.isClosed() && fits(connection, wanted));
    if (!found) return undefined;
    idle.delete(found);
    found.slot.busy();
    return found;
  };

  const rest = (connection: Connection) => {
    if (connection.isClosed()) return;
    idle.add(connection);
    connection.slot.idle(() => {
      idle.delete(connection);
      connection.end();
    });
  };

  const giveBack = (connection: Connection) => {
    const place = waiters.findIndex((waiter) => fits(connection, waiter));
    const [waiter] = place < 0 || connection.isClosed() ? [] : waiters.splice(place, 1);
    if (waiter) waiter.take(connection);
    else rest(connection);
  };

  /** Whichever comes first: the limit allows a new connection, or a used one of the same origin is free. */
  const nextFree = (target: RequestTarget, onlyHttp1: boolean, signal: AbortSignal): Promise<Connection> => {
    const handedOver = new AbortController();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        origin: target.origin,
        onlyHttp1,
        take(connection) {
          handedOver.abort(handOver);
          resolve(connection);
        },
      };
      waiters.push(waiter);
      const leave = () => {
        const place = waiters.indexOf(waiter);
        if (place >= 0) waiters.splice(place, 1);
      };
      connect(target, onlyHttp1, AbortSignal.any([signal, handedOver.signal])).then(
        (connection) => {
          leave();
          // Both came at once: the used connection went to this request already.
          if (handedOver.signal.aborted) giveBack(connection);
          else resolve(connection);
        },
        (error) => {
          leave();
          reject(error);
        },
      );
    });
  };

  return {
    async lease(target, { fresh, onlyHttp1 }, signal) {
      if (fresh) return connect(target, onlyHttp1, signal);
      return takeIdle({ origin: target.origin, onlyHttp1 }) ?? nextFree(target, onlyHttp1, signal);
    },
    giveBack,
    destroy() {
      for (const connection of open) connection.destroy();
    },
  };
}

const fits = (connection: Connection, { origin, onlyHttp1 }: Omit<Waiter, 'take'>): boolean =>
  connection.origin === origin && (!onlyHttp1 || connection.version() === '1.1');
