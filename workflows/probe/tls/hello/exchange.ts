import type { Socket } from 'node:net';
import { ProbeError } from '../../../model/probe-error.ts';
import type { HelloAnswer, HelloRequest } from '../../../model/tls-hello.ts';
import { clientHello } from './client-hello.ts';
import { createFlightReader } from './flight.ts';

/** "close_notify", so that the server does not wait for the rest of the handshake (RFC 8446 §6.1). */
const goodbye = Buffer.from([21, 3, 1, 0, 2, 1, 0]);

/**
 * Sends one ClientHello on a new connection and reads the answer to it. The connection is left open for whoever made it to end.
 * @throws ProbeError, or the signal's reason
 */
export async function exchangeHello(socket: Socket, request: HelloRequest, signal: AbortSignal): Promise<HelloAnswer> {
  const sent = clientHello(request, request.serverName ?? request.host);
  const reader = createFlightReader(request);
  const remoteAddress = socket.remoteAddress ?? '';
  socket.write(sent);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const answer = reader.push(chunk);
      if (!answer) continue;
      if (answer.outcome !== 'refused') socket.write(goodbye);
      return { ...answer, sent, remoteAddress };
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ProbeError) throw error;
    // A connection that is reset has ended, too: that is how some servers refuse.
  }
  return { ...reader.ended(), sent, remoteAddress };
}
