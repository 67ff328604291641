import type { Socket } from 'node:net';
import type { DnsReply } from '../../model/dns.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { questionForServer, toReply, tryDecode } from './packet.ts';
import { messagesOf, sendMessage } from './stream.ts';

/** Enough to show that the zone is given out; nobody's zone is copied whole. */
const maxRecords = 100;
const maxBytes = 128 * 1024;

/**
 * Asks the name server at the other end for a copy of a zone, and takes the first records of it.
 * A server that hangs up instead of answering has refused: its reply has no code.
 * @param server "ip:port" of the other end
 * @throws ProbeError `protocol_error`, or whatever ends the socket
 */
export async function takeZone(socket: Socket, zone: string, server: string): Promise<DnsReply> {
  const question = questionForServer(zone, 'AXFR');
  const reply: DnsReply = { rcode: '', answers: [], authority: [], authenticated: false, authoritative: false, server };
  let bytes = 0;
  sendMessage(socket, question.packet);
  try {
    for await (const message of messagesOf(socket)) {
      const packet = tryDecode(message);
      if (packet?.type !== 'response' || packet.id !== question.id)
        throw new ProbeError('protocol_error', `${server} answered with something that is no DNS message`);
      const { rcode, answers } = toReply(packet, server);
      reply.rcode = rcode;
      reply.answers = [...reply.answers, ...answers].slice(0, maxRecords);
      bytes += message.length;
      if (rcode !== 'NOERROR' || isEnd(reply) || bytes >= maxBytes) break;
    }
  } catch (error) {
    if (!isReset(error)) throw error;
  }
  return reply;
}

/** The zone's first record comes again as its last. Source: RFC 5936 §2.2. */
const isEnd = ({ answers }: DnsReply): boolean =>
  answers.length === 0 || answers.length >= maxRecords || (answers.length > 1 && answers.at(-1)?.type === 'SOA');

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
