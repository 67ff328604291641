import { randomInt } from 'node:crypto';
import { type Answer, AUTHENTIC_DATA, type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet';
import type { DnsAnswer, DnsReply } from '../types.ts';
import { dataOf } from './data.ts';
import { sameName } from './names.ts';

/** One question, ready to be sent. */
export type Question = { id: number; name: string; type: string; packet: Buffer };

/** UDP payload that passes everywhere unfragmented. Source: DNS flag day 2020. */
const udpPayloadBytes = 1232;

/** For a resolver, which looks further. AUTHENTIC_DATA asks it to say whether DNSSEC held. Source: RFC 6840 §5.7. */
export function questionForResolver(name: string, type: string): Question {
  return ask(name, type, RECURSION_DESIRED | AUTHENTIC_DATA, [
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
  ]);
}

/** For a name server, about what it has itself. */
export const questionForServer = (name: string, type: string): Question => ask(name, type, 0, []);

function ask(name: string, type: string, flags: number, additionals: Answer[]): Question {
  const id = randomInt(0x10000);
  // dns-packet knows more record types than its declaration lists.
  const questions = [{ name, type: type as 'A' }];
  return { id, name, type, packet: encode({ type: 'query', id, flags, questions, additionals }) };
}

/** Whether a packet answers this question: anybody can send to a UDP port. */
export function answers(packet: DecodedPacket, question: Question): boolean {
  const [asked] = packet.questions ?? [];
  if (packet.type !== 'response' || packet.id !== question.id || !asked) return false;
  return sameName(asked.name, question.name) && asked.type === question.type;
}

/** @returns undefined for what is no DNS message */
export function tryDecode(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/** @param server "ip:port" that it came from */
export function toReply(packet: DecodedPacket, server: string): DnsReply {
  return {
    // The decoder adds the code as text; its declaration does not say so.
    rcode: (packet as DecodedPacket & { rcode: string }).rcode,
    answers: toAnswers(packet.answers),
    authority: toAnswers(packet.authorities),
    authenticated: packet.flag_ad,
    server,
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
