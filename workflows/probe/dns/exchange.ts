import { createSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import type { ServerAddress } from '../../../kit/server-address.ts';
import type { DnsPacketQuestion } from './packet.ts';
import { messagesOf, sendMessage } from './stream.ts';
import { readMessage, sameLabels, type WireMessage } from './wire.ts';

/** An answer, as bytes and read. */
export type Received = { bytes: Buffer; message: WireMessage };

/**
 * Asks over UDP from a port of its own, and over TCP when the answer was cut.
 * @param connect opens the connection for TCP
 * @throws Error, or the signal's reason
 */
export async function exchange(
  question: DnsPacketQuestion,
  address: ServerAddress,
  connect: (signal: AbortSignal) => Promise<Socket>,
  signal: AbortSignal,
): Promise<Received> {
  const received = await overUdp(question, address, signal);
  return received.message.isTruncated ? overTcp(question, await connect(signal)) : received;
}

function overUdp(
  question: DnsPacketQuestion,
  { address, port }: ServerAddress,
  signal: AbortSignal,
): Promise<Received> {
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
    socket.on('message', (bytes) => {
      const received = answerTo(question, bytes);
      if (received) finish(() => resolve(received));
    });
    // A connected socket takes packets from that server alone.
    socket.connect(port, address, () => open && socket.send(question.packet));
  });
}

async function overTcp(question: DnsPacketQuestion, socket: Socket): Promise<Received> {
  sendMessage(socket, question.packet);
  for await (const bytes of messagesOf(socket)) {
    const received = answerTo(question, bytes);
    if (received) return received;
    break;
  }
  throw new Error('the server did not answer over TCP');
}

/** The same number and the same question: anybody can send to a UDP port. */
function answerTo(question: DnsPacketQuestion, bytes: Buffer): Received | undefined {
  const message = tryRead(bytes);
  const asked = tryRead(question.packet);
  const isAnswer =
    message?.isResponse === true &&
    message.id === asked?.id &&
    message.question?.type === asked.question?.type &&
    sameLabels(message.question?.name ?? [], asked.question?.name ?? []);
  return isAnswer ? { bytes, message } : undefined;
}

function tryRead(bytes: Buffer): WireMessage | undefined {
  try {
    return readMessage(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
