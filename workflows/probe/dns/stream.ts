import type { Socket } from 'node:net';

/** DNS messages over TCP: each goes after its length in two bytes. Source: RFC 1035 §4.2.2. */

export function sendMessage(socket: Socket, packet: Buffer): void {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  socket.write(Buffer.concat([length, packet]));
}

/** The messages that arrive. The socket is destroyed when the caller takes no more of them. */
export async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (let end = endOfMessage(received); end <= received.length; end = endOfMessage(received)) {
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}

/** Infinity while the length itself is not there yet. */
const endOfMessage = (received: Buffer): number =>
  received.length < 2 ? Number.POSITIVE_INFINITY : 2 + received.readUInt16BE();
