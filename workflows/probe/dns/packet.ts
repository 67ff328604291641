import { randomInt } from 'node:crypto';
import {
  type Answer,
  AUTHENTIC_DATA,
  CHECKING_DISABLED,
  type DecodedPacket,
  DNSSEC_OK,
  decode,
  encode,
  RECURSION_DESIRED,
} from 'dns-packet';
import type { DnsAnswer, DnsReply } from '../../model/dns.ts';
import { dataOf } from './data.ts';

/** One question, ready to be sent. */
export type DnsPacketQuestion = { id: number; name: string; type: string; packet: Buffer };

/** UDP payload that passes everywhere unfragmented. Source: DNS flag day 2020. */
const udpPayloadBytes = 1232;

/** For a resolver, which looks further. AUTHENTIC_DATA asks it to say whether DNSSEC held. Source: RFC 6840 §5.7. */
export const questionForResolver = (name: string, type: string): DnsPacketQuestion =>
  ask(name, type, RECURSION_DESIRED | AUTHENTIC_DATA, [options(0)]);

/** For a name server, about what it has itself. */
export const questionForServer = (name: string, type: string): DnsPacketQuestion => ask(name, type, 0, []);

/**
 * For signatures beside the records (DO). A resolver is to give what it has even when it does not believe it (CD), which
 * a name server is not asked for. Source: RFC 4035 §3.2.1, §3.2.2.
 */
export const questionForValidation = (name: string, type: string, of: 'resolver' | 'server'): DnsPacketQuestion =>
  ask(name, type, of === 'resolver' ? RECURSION_DESIRED | CHECKING_DISABLED : 0, [options(DNSSEC_OK)]);

const options = (flags: number): Answer => ({
  type: 'OPT',
  name: '.',
  udpPayloadSize: udpPayloadBytes,
  extendedRcode: 0,
  ednsVersion: 0,
  flags,
  flag_do: flags !== 0,
  options: [],
});

function ask(name: string, type: string, flags: number, additionals: Answer[]): DnsPacketQuestion {
  const id = randomInt(0x10000);
  // dns-packet knows more record types than its declaration lists.
  const questions = [{ name, type: type as 'A' }];
  return { id, name, type, packet: encode({ type: 'query', id, flags, questions, additionals }) };
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
    authoritative: packet.flag_aa,
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
