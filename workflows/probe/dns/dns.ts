import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { connect, isIPv6 } from 'node:net';
import { type Answer, AUTHENTIC_DATA, type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet';
import { type DnsAnswer, type DnsReply, ProbeError } from '../types.ts';
import { dataOf } from './data.ts';

/** Asks one question of one resolver. @throws ProbeError `dns_failed` or `timeout`, or the signal's reason */
export type DnsClient = { query(name: string, type: string, signal: AbortSignal): Promise<DnsReply> };

/** UDP payload that passes everywhere unfragmented. Source: DNS flag day 2020. */
const udpPayloadBytes = 1232;
const attempts = 3;
const attemptTimeoutMs = 2_000;

/**
 * A client over UDP with retries, and over TCP when the answer was cut. Nothing is cached.
 * @param server "ip:port" of a resolver; the system's first one by default
 */
export function createDnsClient(server?: string): DnsClient {
  const { address, port } = serverAddress(server ?? getServers()[0] ?? '127.0.0.1');
  return {
    async query(name, type, signal) {
      for (let attempt = 1; ; attempt++) {
        const question = ask(name, type);
        const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
        try {
          const reply = await overUdp(question, address, port, limit);
          return toReply(reply.flag_tc ? await overTcp(question, address, port, limit) : reply);
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

type Question = { id: number; name: string; type: string; packet: Buffer };

function ask(name: string, type: string): Question {
  const id = randomInt(0x10000);
  const packet = encode({
    type: 'query',
    id,
    // AUTHENTIC_DATA asks the resolver to say whether DNSSEC held. Source: RFC 6840 §5.7.
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    // dns-packet knows more record types than its declaration lists.
    questions: [{ name, type: type as 'A' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: udpPayloadBytes,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  return { id, name, type, packet };
}

/** Whether a packet answers this question: anybody can send to a UDP port. */
function answers(packet: DecodedPacket, question: Question): boolean {
  const [asked] = packet.questions ?? [];
  if (packet.type !== 'response' || packet.id !== question.id || !asked) return false;
  return asked.name.toLowerCase() === question.name.toLowerCase().replace(/\.$/, '') && asked.type === question.type;
}

function overUdp(question: Question, address: string, port: number, signal: AbortSignal): Promise<DecodedPacket> {
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

function overTcp(question: Question, address: string, port: number, signal: AbortSignal): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: address, port, signal });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the resolver closed the connection')));
    socket.on('connect', () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(question.packet.length);
      socket.write(Buffer.concat([length, question.packet]));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const received = Buffer.concat(chunks);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return;
      const packet = tryDecode(received.subarray(2, 2 + received.readUInt16BE()));
      if (packet && answers(packet, question)) resolve(packet);
      socket.destroy();
    });
  });
}

function tryDecode(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

function toReply(packet: DecodedPacket): DnsReply {
  return {
    // The decoder adds the code as text; its declaration does not say so.
    rcode: (packet as DecodedPacket & { rcode: string }).rcode,
    answers: toAnswers(packet.answers),
    authority: toAnswers(packet.authorities),
    authenticated: packet.flag_ad,
  };
}

function toAnswers(records: readonly Answer[] = []): DnsAnswer[] {
  return records.flatMap((record) =>
    record.type === 'OPT'
      ? []
      : [
          {
            name: record.name,
            type: record.type,
            ttlSeconds: ('ttl' in record ? record.ttl : 0) ?? 0,
            data: dataOf(record),
          },
        ],
  );
}

/** "ip", "ip:port" or "[ip]:port". */
function serverAddress(server: string): { address: string; port: number } {
  const bracketed = /^\[(?<address>[^\]]+)\](?::(?<port>\d+))?$/.exec(server)?.groups;
  if (bracketed) return { address: bracketed.address ?? '', port: Number(bracketed.port ?? 53) };
  if (isIPv6(server)) return { address: server, port: 53 };
  const [address = '', port = '53'] = server.split(':');
  return { address, port: Number(port) };
}
