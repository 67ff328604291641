/**
 * DNS messages byte for byte, as signatures need them: names as labels, data with its names written out and in lower case.
 * Source: RFC 1035 §4.1, RFC 4034 §6.2.
 */

/** A name from its first label to the root's, which is left out; bytes as latin1 text in lower case. The root is []. */
export type Labels = readonly string[];

export type WireRecord = { owner: Labels; type: number; ttlSeconds: number; data: Buffer };

export type WireMessage = {
  id: number;
  isResponse: boolean;
  isAuthoritative: boolean;
  isTruncated: boolean;
  /** Source: RFC 1035 §4.1.1. */
  rcode: number;
  question: { name: Labels; type: number } | undefined;
  answers: WireRecord[];
  authority: WireRecord[];
  additional: WireRecord[];
};

/** Numbers of record types. Source: IANA DNS parameters. */
export const recordTypes = {
  ...{ A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, DNAME: 39, OPT: 41 },
  ...{ DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50 },
} as const;

/**
 * Data in which names stand, by type: "n" is a name, a digit that many bytes, "s" a string with its length before it; what
 * is left goes as it is. Source: RFC 4034 §6.2, RFC 6840 §5.1.
 */
const layouts = new Map<number, string>([
  ...[2, 3, 4, 5, 7, 8, 9, 12, 39].map((type): [number, string] => [type, 'n']),
  ...[6, 14, 17].map((type): [number, string] => [type, 'nn']),
  ...[15, 18, 21, 36].map((type): [number, string] => [type, '2n']),
  [26, '2nn'],
  [33, '6n'],
  [35, '4sssn'],
]);

const headerBytes = 12;
const maxNameBytes = 255;
/** More than any honest answer has; reading stops there. */
const maxRecords = 2_000;

/** @throws RangeError when the bytes are no DNS message */
export function readMessage(message: Buffer): WireMessage {
  const flags = message.readUInt16BE(2);
  const [questions, ...counts] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at)) as [number, ...number[]];
  if (questions > 1 || counts.reduce((sum, count) => sum + count, 0) > maxRecords) throw malformed();
  let at = headerBytes;
  let question: WireMessage['question'];
  if (questions === 1) {
    const { labels, end } = readName(message, at);
    question = { name: labels, type: message.readUInt16BE(end) };
    at = end + 4;
  }
  const sections = counts.map((count) =>
    Array.from({ length: count }, () => {
      const { record, end } = readRecord(message, at);
      at = end;
      return record;
    }),
  );
  const [answers = [], authority = [], additional = []] = sections;
  return {
    id: message.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    isAuthoritative: (flags & 0x0400) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    rcode: flags & 0xf,
    question,
    answers,
    authority,
    additional,
  };
}

const malformed = () => new RangeError('not a DNS message');

function readRecord(message: Buffer, start: number): { record: WireRecord; end: number } {
  const { labels: owner, end: head } = readName(message, start);
  const type = message.readUInt16BE(head);
  const data = head + 10;
  const end = data + message.readUInt16BE(head + 8);
  if (end > message.length) throw malformed();
  const record = { owner, type, ttlSeconds: message.readUInt32BE(head + 4), data: readData(message, type, data, end) };
  return { record, end };
}

function readData(message: Buffer, type: number, start: number, end: number): Buffer {
  const parts: Buffer[] = [];
  let at = start;
  const take = (bytes: number) => {
    if (at + bytes > end) throw malformed();
    parts.push(message.subarray(at, at + bytes));
    at += bytes;
  };
  for (const part of layouts.get(type) ?? '') {
    if (part === 's') take(1 + message.readUInt8(at));
    else if (part === 'n') {
      const name = readName(message, at);
      if (name.end > end) throw malformed();
      parts.push(nameBytes(name.labels));
      at = name.end;
    } else take(Number(part));
  }
  take(end - at);
  return Buffer.concat(parts);
}

/** @throws RangeError */
export function readName(message: Buffer, start: number): { labels: Labels; end: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | undefined;
  let bytes = 1;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return { labels, end: end ?? at + 1 };
    if (length >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff;
      // A pointer that does not lead backwards could lead in a circle.
      if (target >= at) throw malformed();
      end ??= at + 2;
      at = target;
      continue;
    }
    bytes += 1 + length;
    if (length >= 0x40 || bytes > maxNameBytes || at + 1 + length > message.length) throw malformed();
    labels.push(lowerCase(message.toString('latin1', at + 1, at + 1 + length)));
    at += 1 + length;
  }
}

/** ASCII alone: other bytes have no case here. Source: RFC 4343. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

export const nameBytes = (labels: Labels): Buffer =>
  Buffer.concat([
    ...labels.map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1')),
    Buffer.alloc(1),
  ]);

/** @param name as people write it, with or without the dot at its end; "" and "." are the root */
export const labelsOf = (name: string): Labels =>
  lowerCase(name)
    .split('.')
    .filter((label) => label !== '');

/** For people. Source: RFC 1035 §5.1. */
export const textOf = (labels: Labels): string =>
  labels.map((label) => label.replace(/[^\x21-\x7e]|[.\\]/g, escaped)).join('.') || '.';

const escaped = (byte: string): string =>
  byte === '.' || byte === '\\' ? `\\${byte}` : `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`;

export const sameLabels = (a: Labels, b: Labels): boolean =>
  a.length === b.length && a.every((label, index) => label === b[index]);

/** Whether a name is that of the zone, or below it. */
export const isWithin = (name: Labels, zone: Labels): boolean =>
  name.length >= zone.length && sameLabels(name.slice(name.length - zone.length), zone);

/** The order of names in a signed zone. Source: RFC 4034 §6.1. */
export function compareLabels(a: Labels, b: Labels): number {
  for (let depth = 1; depth <= Math.min(a.length, b.length); depth += 1) {
    const order = Buffer.compare(Buffer.from(a.at(-depth) ?? '', 'latin1'), Buffer.from(b.at(-depth) ?? '', 'latin1'));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
