import type { Socket } from 'node:net';

/**
 * DNS messages as they come over TCP, each after its length in two bytes. The socket is destroyed when no more are taken.
 * @param maxBytes ends it at a longer message
 * Source: RFC 1035 §4.2.2
 */
export async function* messagesIn(socket: Socket, maxBytes = 0xffff): AsyncGenerator<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const end = 2 + received.readUInt16BE();
      if (end - 2 > maxBytes) return;
      if (received.length < end) break;
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}
