import type { Socket } from 'node:net';

/** DNS messages over TCP: each goes after its length in two bytes. Source: RFC 1035 §4.2.2. */

export function sendMessage(socket: Socket, packet: Buffer): void {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  socket.write(Buffer.concat([length, packet]));
}

/** The messages that arrive. The socket is destroyed when the caller takes no more of them. */
export async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let wanted = lengthBytes;
  for await (const chunk of socket) {
    pieces.push(chunk);
    length += chunk.length;
    // Joined only when a message may be whole: a server can send it byte by byte.
    if (length < wanted) continue;
    let received = Buffer.concat(pieces);
    for (wanted = endOfMessage(received); wanted <= received.length; wanted = endOfMessage(received)) {
      yield received.subarray(lengthBytes, wanted);
      received = received.subarray(wanted);
    }
    pieces = [received];
    length = received.length;
  }
}

const lengthBytes = 2;

/** As far as it is known: at least the length itself. */
const endOfMessage = (received: Buffer): number =>
  received.length < lengthBytes ? lengthBytes : lengthBytes + received.readUInt16BE();
