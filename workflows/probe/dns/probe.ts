import { formatServerAddress, parseServerAddress } from '../../../kit/server-address.ts';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import type { Guard } from '../guard/guard.ts';
import { openSocket } from '../http/connect.ts';
import type { Recorder } from '../recorder.ts';
import type { DnsProbe, DnsReply } from '../types.ts';
import { createDnsClient, dnsPort } from './dns.ts';
import { isLocalhost } from './names.ts';
import { takeZone } from './transfer.ts';

export type DnsParts = {
  /** "ip:port"; the system's resolver by default. */
  server?: string | undefined;
  guard: Guard;
  budget: Budget;
  recorder: Recorder;
  signal: AbortSignal;
};

const transferTimeoutMs = 10_000;

/** What a system's resolver is not asked: no name server has such names. Source: RFC 6761 §6.3. */
const noSuchName: DnsReply = { rcode: 'NXDOMAIN', answers: [], authority: [], authenticated: false, server: '' };

/**
 * The DNS instrument. Its questions go to the resolver, not to the target, so they are outside the budget's rate;
 * names are not bound to the scope: a domain's mail and delegation records lead elsewhere by design.
 * A zone transfer does go to a server of the target: it counts, and the guard decides on its address.
 */
export function createDnsProbe(parts: DnsParts): DnsProbe {
  const client = createDnsClient(parts.server);
  const noted = async (method: string, url: string, signal: AbortSignal, work: () => Promise<DnsReply>) => {
    const startMs = performance.now();
    const note = (outcome: string) =>
      parts.recorder.note({ instrument: 'dns', method, url, outcome, elapsedMs: performance.now() - startMs });
    try {
      const reply = await work();
      note(reply.rcode);
      return reply;
    } catch (error) {
      const known = probeErrorFrom(error, signal);
      note(known.code);
      throw known;
    }
  };
  return {
    async query(name, type) {
      if (parts.server === undefined && isLocalhost(name)) return noSuchName;
      return noted(type, name, parts.signal, () => client.query(name, type, parts.signal));
    },
    async transfer(zone, server) {
      const timeoutMs = Math.min(transferTimeoutMs, Math.max(1, parts.budget.remainingMs()));
      using limit = timeLimit(parts.signal, timeoutMs, `the transfer of ${zone} from ${server}`);
      return await noted('AXFR', `${server}/${zone}`, limit, async () => {
        limit.pause();
        await parts.budget.take(limit);
        limit.resume();
        return askForZone(parts, zone, server, limit);
      });
    },
  };
}

async function askForZone(parts: DnsParts, zone: string, host: string, signal: AbortSignal): Promise<DnsReply> {
  const slot = await parts.budget.connections.take(signal);
  try {
    const socket = await openSocket(parts.guard, { host, port: await portOf(parts, host, signal) }, signal);
    const { remoteAddress = '', remotePort = dnsPort } = socket;
    return await takeZone(socket, zone, formatServerAddress({ address: remoteAddress, port: remotePort }));
  } finally {
    slot.release();
  }
}

/** Records of the DNS name no port, so it is the usual one; but the server that the settings name is where they say. */
async function portOf({ guard, server }: DnsParts, host: string, signal: AbortSignal): Promise<number> {
  if (server === undefined) return dnsPort;
  const { address, port } = parseServerAddress(server, dnsPort);
  return (await guard.addresses(host, signal)).includes(address) ? port : dnsPort;
}
