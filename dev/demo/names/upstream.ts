import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import { decode } from 'dns-packet';
import { parseServerAddress, type ServerAddress } from '../../../kit/server-address.ts';
import { messagesIn } from './messages.ts';

/** Passes questions on to the resolvers that others use, byte for byte, and their answers back. */
type Upstream = {
  /** @returns undefined when nobody answers in time, or too much is under way already */
  ask(query: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined>;
};

export type UpstreamOptions = {
  /** "ip" or "ip:port", asked in this order. */
  servers: readonly string[];
  /** For all of them together; a little less than clients wait. Default 1,800. */
  timeoutMs?: number;
  /** Default 64. */
  maxInFlight?: number;
};

/** Systems have two or three; a client would not wait for more. */
const maxServers = 2;
const dnsPort = 53;

export function createUpstream({ servers, timeoutMs = 1_800, maxInFlight = 64 }: UpstreamOptions): Upstream {
  const addresses = servers.slice(0, maxServers).map((server) => parseServerAddress(server, dnsPort));
  let inFlight = 0;
  return {
    async ask(query, transport) {
      if (inFlight >= maxInFlight) return undefined;
      inFlight += 1;
      try {
        for (const address of addresses) {
          const limit = AbortSignal.timeout(timeoutMs / addresses.length);
          const answer = await (transport === 'udp' ? overUdp : overTcp)(query, address, limit).catch(() => undefined);
          if (answer) return answer;
        }
        return undefined;
      } finally {
        inFlight -= 1;
      }
    },
  };
}

async function overUdp(query: Buffer, { address, port }: ServerAddress, signal: AbortSignal): Promise<Buffer> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  // A waiting caller gets the error from its promise; perhaps no caller waits.
  socket.on('error', () => {});
  try {
    // Connected, it takes packets from the resolver alone.
    socket.connect(port, address);
    await once(socket, 'connect', { signal });
    socket.send(query);
    for (;;) {
      const [message]: Buffer[] = await once(socket, 'message', { signal });
      if (message && isAnswer(message, query)) return message;
    }
  } finally {
    socket.close();
  }
}

async function overTcp(query: Buffer, { address, port }: ServerAddress, signal: AbortSignal): Promise<Buffer> {
  const socket = connect({ host: address, port, signal });
  await once(socket, 'connect');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  for await (const message of messagesIn(socket)) if (isAnswer(message, query)) return message;
  throw new Error('the resolver hung up');
}

/** The same number and the same question: anybody can send to a UDP port. */
function isAnswer(message: Buffer, query: Buffer): boolean {
  try {
    const [answer, asked] = [decode(message), decode(query)];
    const [a, b] = [answer.questions?.[0], asked.questions?.[0]];
    return (
      answer.flag_qr && answer.id === asked.id && a?.type === b?.type && a?.name.toLowerCase() === b?.name.toLowerCase()
    );
  } catch {
    return false;
  }
}
