import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import type { Answer, Question } from 'dns-packet';
import type { Weaknesses } from '../weaknesses.ts';
import { createAuthority } from './authority.ts';
import { addressesIn } from './hosts-file.ts';
import { messagesIn } from './messages.ts';
import { encodeMalformed, encodeReply, opcodeOf, type Reply, tryDecode } from './reply.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';

export type NameServerOptions = {
  weaknesses: Weaknesses;
  /** For UDP and TCP; 0 means any free one. */
  port: number;
  /** Who is asked for names that are not the shop's; the system's resolvers, after its hosts file, by default. */
  upstream?: UpstreamOptions;
  /** Default "/etc/hosts" with the system's resolvers, and none with others. */
  hostsFile?: string;
};

type NameServer = {
  /** "ip:port". */
  address: string;
  close(): Promise<void>;
};

type Transport = 'udp' | 'tcp';

const host = '127.0.0.1';
/** Questions are short: one name of at most 255 bytes, and options. */
const maxQueryBytes = 4_096;
const maxConnections = 64;
const idleMs = 5_000;

/**
 * Serves the shop's zone on loopback over UDP and TCP. Questions for other names are passed on, so that an audit of
 * any host can use this server; without such questions it asks no other server.
 */
export async function startNameServer(options: NameServerOptions): Promise<NameServer> {
  const answer = createAnswer(options);
  const open = new Set<Socket>();
  const tcp = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    socket.setTimeout(idleMs, () => socket.destroy());
    serveStream(socket, answer).catch(() => socket.destroy());
  });
  tcp.maxConnections = maxConnections;
  const { udp, port } = await listen(tcp, options.port);
  let closed = false;
  udp.on('message', (message, from) => {
    // A client that gets nothing asks again.
    const reply = answer(message, 'udp').catch(() => undefined);
    reply.then((packet) => packet && !closed && udp.send(packet, from.port, from.address, () => {}));
  });
  return {
    address: `${host}:${port}`,
    async close() {
      closed = true;
      udp.close();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

async function serveStream(
  socket: Socket,
  answer: (query: Buffer, transport: Transport) => Promise<Buffer | undefined>,
) {
  for await (const message of messagesIn(socket, maxQueryBytes)) {
    const reply = await answer(message, 'tcp');
    if (!reply) return;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(reply.length);
    socket.write(Buffer.concat([length, reply]));
  }
}

/** @returns what answers a message; undefined is no answer at all */
function createAnswer({ weaknesses, upstream, hostsFile }: NameServerOptions) {
  const authority = createAuthority(weaknesses);
  const others = createUpstream(upstream ?? { servers: getServers() });
  const file = hostsFile ?? (upstream ? undefined : '/etc/hosts');
  const replyTo = async (question: Question, message: Buffer, transport: Transport): Promise<Reply | Buffer> => {
    if (authority.knows(question.name)) return authority.answer(question, transport);
    const known = file && (await recordsIn(file, question));
    return known
      ? { rcode: 'NOERROR', answers: known }
      : ((await others.ask(message, transport)) ?? { rcode: 'SERVFAIL' });
  };
  return async (message: Buffer, transport: Transport): Promise<Buffer | undefined> => {
    const query = tryDecode(message);
    if (query === undefined) return encodeMalformed(message);
    // Two servers that take each other's answers for questions never stop.
    if (query.flag_qr) return undefined;
    const [question, ...more] = query.questions ?? [];
    if (opcodeOf(message) !== 0) return encodeReply(query, { rcode: 'NOTIMP' }, transport);
    if (!question || more.length > 0) return encodeReply(query, { rcode: 'FORMERR' }, transport);
    const reply = await replyTo(question, message, transport);
    return 'rcode' in reply ? encodeReply(query, reply, transport) : reply;
  };
}

/** Addresses of a name that the hosts file has, whatever kind of address is asked for; undefined when it does not have it. */
async function recordsIn(file: string, { name, type }: Question): Promise<Answer[] | undefined> {
  if (type !== 'A' && type !== 'AAAA') return undefined;
  const addresses = await addressesIn(file, name);
  return addresses
    ?.filter((address) => isIPv6(address) === (type === 'AAAA'))
    .map((data) => ({ name, type, ttl: 0, data }));
}

/** UDP and TCP on one port. Where any will do, one that is free for both is found after a few. */
async function listen(tcp: Server, port: number): Promise<{ udp: UdpSocket; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    tcp.listen(port, host);
    await once(tcp, 'listening');
    const address = tcp.address();
    const chosen = typeof address === 'object' && address ? address.port : port;
    const udp = createSocket('udp4');
    try {
      udp.bind(chosen, host);
      await once(udp, 'listening');
      return { udp, port: chosen };
    } catch (error) {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
      if (port !== 0 || attempt === 5) throw error;
    }
  }
}
