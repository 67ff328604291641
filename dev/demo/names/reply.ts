import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

/** Source: RFC 1035 §4.1.1, RFC 2136 §2.2. */
const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, NOTAUTH: 9 } as const;

/** What a question is answered. */
export type Reply = {
  rcode: keyof typeof rcodes;
  answers?: Answer[];
  authorities?: Answer[];
  /** From what the server itself has. */
  isAuthoritative?: boolean;
};

/** UDP payload that passes everywhere unfragmented. Source: DNS flag day 2020. */
const udpPayloadBytes = 1_232;
/** Source: RFC 1035 §4.2.1. */
const plainUdpBytes = 512;
const headerBytes = 12;

const edns: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: udpPayloadBytes,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** @returns undefined for what is no DNS message */
export function tryDecode(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/** Kind of request, 0 for a question. The decoder gives it as a word. Source: RFC 1035 §4.1.1. */
export const opcodeOf = (message: Buffer): number => (message.readUInt16BE(2) >> 11) & 0xf;

/** A message that answers a query; over UDP no longer than its client takes, which then comes again over TCP. */
export function encodeReply(query: DecodedPacket, reply: Reply, transport: 'udp' | 'tcp'): Buffer {
  const whole = packetOf(query, reply);
  const message = encode(whole);
  if (transport === 'tcp' || message.length <= maxBytesFor(query)) return message;
  return encode({ ...whole, flags: (whole.flags ?? 0) | TRUNCATED_RESPONSE, answers: [], authorities: [] });
}

function packetOf(query: DecodedPacket, { rcode, answers = [], authorities = [], isAuthoritative }: Reply): Packet {
  const { id = 0, questions = [] } = query;
  return {
    type: 'response',
    id,
    flags:
      RECURSION_AVAILABLE |
      (query.flag_rd ? RECURSION_DESIRED : 0) |
      (isAuthoritative ? AUTHORITATIVE_ANSWER : 0) |
      rcodes[rcode],
    questions,
    answers,
    authorities,
    // Who speaks EDNS is answered with it. Source: RFC 6891 §6.1.1.
    additionals: optionOf(query) ? [{ ...edns }] : [],
  };
}

const optionOf = ({ additionals = [] }: DecodedPacket) => additionals.find((record) => record.type === 'OPT');

/** Source: RFC 6891 §6.2.3. */
const maxBytesFor = (query: DecodedPacket): number =>
  Math.max(plainUdpBytes, Math.min(optionOf(query)?.udpPayloadSize ?? plainUdpBytes, udpPayloadBytes));

/** A message with a whole header that is no answer gets a format error. */
export function encodeMalformed(message: Buffer): Buffer | undefined {
  const isAnswer = (message[2] ?? 0) >= 0x80;
  if (message.length < headerBytes || isAnswer) return undefined;
  return encode({ type: 'response', id: message.readUInt16BE(0), flags: rcodes.FORMERR });
}
