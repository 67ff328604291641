import { isIPv4, type Socket } from 'node:net';
import { parseServerAddress } from '../../../kit/server-address.ts';
import type { Budget } from '../budget/budget.ts';
import type { Guard } from '../guard/guard.ts';
import { openSocket } from '../http/connect.ts';
import { dnsPort } from './dns.ts';
import { exchange, type Received } from './exchange.ts';
import type { DnsPacketQuestion } from './packet.ts';

export type ServerParts = {
  /** "ip:port" of the resolver that the settings name. */
  server?: string | undefined;
  guard: Guard;
  budget: Budget;
};

/** Where a name server was asked. */
type ServerAnswer = Received & { address: string; port: number };

/**
 * Asks a name server, behind the guard; it counts as a request.
 * @param host name or address
 * @throws ProbeError, or whatever ends the exchange
 */
export async function askServer(
  parts: ServerParts,
  host: string,
  question: DnsPacketQuestion,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const addresses = await parts.guard.addresses(host, signal);
  const address = addresses.find((each) => isIPv4(each)) ?? addresses[0] ?? host;
  const port = await portOf(parts, host, signal);
  const received = await exchange(question, { address, port }, () => openConnection(parts, host, port, signal), signal);
  return { ...received, address, port };
}

/** A connection for DNS over TCP, within the connections that the target may have. */
export async function openConnection(
  { guard, budget }: ServerParts,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const slot = await budget.connections.take(signal);
  try {
    const socket = await openSocket(guard, { host, port }, signal);
    socket.once('close', () => slot.release());
    return socket;
  } catch (error) {
    slot.release();
    throw error;
  }
}

/**
 * Records of the DNS name no port, so it is the usual one; but the server that the settings name is where they say, and
 * when it is on loopback, all of them are, each at its address.
 */
export async function portOf({ guard, server }: ServerParts, host: string, signal: AbortSignal): Promise<number> {
  if (server === undefined) return dnsPort;
  const { address, port } = parseServerAddress(server, dnsPort);
  const addresses = await guard.addresses(host, signal);
  const isInLab = isLoopback(address) && addresses.some(isLoopback);
  return isInLab || addresses.includes(address) ? port : dnsPort;
}

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';
