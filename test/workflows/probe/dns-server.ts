import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type Answer, decode, encode, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

export type DnsData = string | { alias: string } | Record<string, unknown>;

type DnsServer = {
  /** "ip:port". */
  address: string;
  /** Replaces the answer to "name TYPE"; `then` is what it is from the second question on. */
  set(question: string, data: DnsData[], then?: DnsData[]): void;
  queries(): number;
  close(): Promise<void>;
};

export type DnsBehaviour = {
  /** Questions over UDP that get no answer first. */
  drop?: number;
  /** Every UDP answer says that it was cut. */
  truncate?: boolean;
  /** Sent ahead of each right answer over UDP. */
  forged?: (right: Buffer) => Buffer[];
};

/** A name server on loopback, over UDP and TCP, with the records of a test. Unknown names are NXDOMAIN. */
export async function startDnsServer(
  records: Record<string, DnsData[]>,
  behaviour: DnsBehaviour = {},
): Promise<DnsServer> {
  const zone = new Map(Object.entries(records).map(([question, data]) => [question, [data]]));
  let queries = 0;
  let toDrop = behaviour.drop ?? 0;

  const answerTo = (message: Buffer, cut: boolean) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    const { name = '', type = 'A' } = question ?? {};
    const versions = zone.get(`${name.toLowerCase()} ${type}`) ?? [];
    const data = versions.length > 1 ? versions.shift() : versions[0];
    const known = [...zone.keys()].some((key) => key.startsWith(`${name.toLowerCase()} `));
    const answers = cut ? [] : (data ?? []).map((entry) => toRecord(name, type, entry));
    return {
      type: 'response' as const,
      id: query.id ?? 0,
      flags: (known ? 0 : 3) | (cut ? TRUNCATED_RESPONSE : 0),
      questions: question ? [question] : [],
      answers,
    };
  };

  const udp = createSocket('udp4');
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (message) => socket.write(streamEncode(answerTo(Buffer.from(message.subarray(2)), false))));
  });
  udp.on('message', (message, from) => {
    queries++;
    if (toDrop-- > 0) return;
    const right = encode(answerTo(message, behaviour.truncate ?? false));
    for (const packet of [...(behaviour.forged?.(right) ?? []), right]) udp.send(packet, from.port, from.address);
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    set: (question, data, then) => void zone.set(question, then ? [data, then] : [data]),
    queries: () => queries,
    async close() {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

function toRecord(name: string, type: string, data: DnsData): Answer {
  const aliased = typeof data === 'object' && 'alias' in data;
  return { name, type: aliased ? 'CNAME' : type, ttl: 0, data: aliased ? data.alias : data } as Answer;
}
