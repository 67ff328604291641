import { isIPv6 } from 'node:net';

/** Where a server listens. */
export type ServerAddress = { address: string; port: number };

/**
 * Reads "ip", "ip:port" or "[ip]:port", as DNS settings and systems write resolvers.
 * @param defaultPort for an address without one
 */
export function parseServerAddress(server: string, defaultPort: number): ServerAddress {
  const bracketed = /^\[(?<address>[^\]]+)\](?::(?<port>\d+))?$/.exec(server)?.groups;
  if (bracketed) return { address: bracketed.address ?? '', port: Number(bracketed.port ?? defaultPort) };
  if (isIPv6(server)) return { address: server, port: defaultPort };
  const [address = '', port = defaultPort] = server.split(':');
  return { address, port: Number(port) };
}

/** "ip:port", an IPv6 address in brackets. */
export const formatServerAddress = ({ address, port }: ServerAddress): string =>
  isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
