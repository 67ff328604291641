import type { ConnectionSlots } from '../budget/slots.ts';
import type { Guard } from '../guard/guard.ts';
import { type Connection, makeConnection } from './connection.ts';
import type { RequestTarget } from './request-target.ts';

export type Pool = {
  /**
   * A connection for one request: one that is idle, else a new one as soon as there is room.
   * @param fresh takes no connection that was used before
   * @throws the signal's reason
   */
  lease(target: RequestTarget, fresh: boolean, signal: AbortSignal): Promise<Connection>;
  /** Gives a connection back whose answer was read to its end. */
  giveBack(connection: Connection): void;
  /** Closes every socket at once. */
  destroy(): void;
};

type Waiter = { origin: string; take(connection: Connection): void };

/** Keeps connections alive between requests, within the slots shared with the other instruments. */
export function createPool(guard: Guard, slots: ConnectionSlots): Pool {
  const open = new Set<Connection>();
  const idle = new Set<Connection>();
  const waiters: Waiter[] = [];

  const connect = async (target: RequestTarget, signal: AbortSignal): Promise<Connection> => {
    const slot = await slots.take(signal);
    const connection = makeConnection(guard, target, slot, () => {
      open.delete(connection);
      idle.delete(connection);
    });
    open.add(connection);
    return connection;
  };

  const takeIdle = (origin: string): Connection | undefined => {
    const found = [...idle].find((connection) => connection.origin === origin && !connection.isClosed());
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
    const place = waiters.findIndex((waiter) => waiter.origin === connection.origin);
    const [waiter] = place < 0 || connection.isClosed() ? [] : waiters.splice(place, 1);
    if (waiter) waiter.take(connection);
    else rest(connection);
  };

  /** Whichever comes first: room for a new connection, or a used one of the same origin. */
  const nextFree = (target: RequestTarget, signal: AbortSignal): Promise<Connection> => {
    const handedOver = new AbortController();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        origin: target.origin,
        take(connection) {
          handedOver.abort();
          resolve(connection);
        },
      };
      waiters.push(waiter);
      const leave = () => {
        const place = waiters.indexOf(waiter);
        if (place >= 0) waiters.splice(place, 1);
      };
      connect(target, AbortSignal.any([signal, handedOver.signal])).then(
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
    async lease(target, fresh, signal) {
      if (fresh) return connect(target, signal);
      return takeIdle(target.origin) ?? nextFree(target, signal);
    },
    giveBack,
    destroy() {
      for (const connection of open) connection.destroy();
    },
  };
}
