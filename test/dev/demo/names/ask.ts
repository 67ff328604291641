import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type DecodedPacket, decode, encode } from 'dns-packet';

type Answered = DecodedPacket & { rcode: string };

const host = '127.0.0.1';
const portOf = (server: string) => Number(server.split(':')[1]);

/** A question as resolvers send it; with a larger limit of the answer when it says so. */
export function questionFor(name: string, type: string, maxBytes?: number): Buffer {
  const option = { name: '.', type: 'OPT' as const, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false };
  return encode({
    type: 'query',
    id: 4_711,
    flags: 0x0100,
    questions: [{ name, type: type as 'A' }],
    additionals: maxBytes === undefined ? [] : [{ ...option, udpPayloadSize: maxBytes, options: [] }],
  });
}

/** Sends one packet, and waits for one; undefined when none comes within the time. */
export async function sendPacket(server: string, packet: Buffer, waitMs = 10_000): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.connect(portOf(server), host);
    await once(socket, 'connect');
    socket.send(packet);
    const [message]: Buffer[] = await once(socket, 'message', { signal: AbortSignal.timeout(waitMs) });
    return message;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

export async function askOverUdp(server: string, name: string, type: string, maxBytes?: number): Promise<Answered> {
  const message = await sendPacket(server, questionFor(name, type, maxBytes));
  if (!message) throw new Error(`no answer to ${type} ${name}`);
  return decode(message) as Answered;
}

/** The first message of the answer. */
export async function askOverTcp(server: string, name: string, type: string): Promise<Answered> {
  const socket = connect({ host, port: portOf(server) });
  const question = questionFor(name, type);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(question.length);
  socket.write(Buffer.concat([length, question]));
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE()) continue;
    return decode(received.subarray(2, 2 + received.readUInt16BE())) as Answered;
  }
  throw new Error(`no answer to ${type} ${name}`);
}
