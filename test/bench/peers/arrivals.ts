import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const channel = 'http.server.request.start';

/** Counts the requests that arrive at servers of this process, by their port. */
export function countArrivals(): { at(...ports: number[]): number; close(): void } {
  const counts = new Map<number, number>();
  const note = (message: unknown) => {
    const { localPort = 0 } = (message as { request: IncomingMessage }).request.socket;
    counts.set(localPort, (counts.get(localPort) ?? 0) + 1);
  };
  subscribe(channel, note);
  return {
    at: (...ports) => ports.reduce((sum, port) => sum + (counts.get(port) ?? 0), 0),
    close: () => unsubscribe(channel, note),
  };
}
