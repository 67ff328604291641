import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import type { DecodedPacket } from 'dns-packet';
import { formatServerAddress, parseServerAddress, type ServerAddress } from '../../../kit/server-address.ts';
import { type DnsReply, ProbeError } from '../types.ts';
import { answers, type Question, questionForResolver, toReply, tryDecode } from './packet.ts';
import { messagesOf, sendMessage } from './stream.ts';

/** Asks one question of one resolver. @throws ProbeError `dns_failed` or `timeout`, or the signal's reason */
export type DnsClient = { query(name: string, type: string, signal: AbortSignal): Promise<DnsReply> };

/** Source: RFC 1035 §4.2. */
export const dnsPort = 53;
const attempts = 3;
const attemptTimeoutMs = 2_000;

/**
 * A client over UDP with retries, and over TCP when the answer was cut. Nothing is cached.
 * @param server "ip:port" of a resolver; the system's first one by default
 */
export function createDnsClient(server?: string): DnsClient {
  const resolver = parseServerAddress(server ?? getServers()[0] ?? '127.0.0.1', dnsPort);
  return {
    async query(name, type, signal) {
      for (let attempt = 1; ; attempt++) {
        const question = questionForResolver(name, type);
        const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
        try {
          const reply = await overUdp(question, resolver, limit);
          return toReply(
            reply.flag_tc ? await overTcp(question, resolver, limit) : reply,
            formatServerAddress(resolver),
          );
        } catch (error) {
          signal.throwIfAborted();
          if (attempt < attempts) continue;
          if (limit.aborted) throw new ProbeError('timeout', `no answer to ${type} ${name} from the resolver`);
          throw new ProbeError('dns_failed', `${type} ${name} could not be asked`, { cause: error });
        }
      }
    },
  };
}

function overUdp(question: Question, { address, port }: ServerAddress, signal: AbortSignal): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', signal });
    socket.on('close', () => reject(signal.reason ?? new Error('socket closed')));
    let open = true;
    const finish = (settle: () => void) => {
      settle();
      if (open && !signal.aborted) socket.close();
      open = false;
    };
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('message', (message) => {
      const packet = tryDecode(message);
      if (packet && answers(packet, question)) finish(() => resolve(packet));
    });
    // A connected socket takes packets from the resolver alone.
    socket.connect(port, address, () => socket.send(question.packet));
  });
}

async function overTcp(
  question: Question,
  { address, port }: ServerAddress,
  signal: AbortSignal,
): Promise<DecodedPacket> {
  const socket = connect({ host: address, port, signal });
  await once(socket, 'connect');
  sendMessage(socket, question.packet);
  for await (const message of messagesOf(socket)) {
    const packet = tryDecode(message);
    if (packet && answers(packet, question)) return packet;
    break;
  }
  throw new Error('the resolver did not answer over TCP');
}
