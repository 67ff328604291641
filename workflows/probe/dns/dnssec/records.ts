import { type Labels, readName, recordTypes, sameLabels, textOf, type WireRecord } from '../wire.ts';

/** The records of a zone that carry DNSSEC, read. Source: RFC 4034, RFC 5155. */

export type Signature = {
  covered: number;
  algorithm: number;
  /** Labels of the owner's name, without that of a wildcard that it was made from. */
  labels: number;
  originalTtl: number;
  /** Seconds since 1970, modulo 2³². */
  expiration: number;
  inception: number;
  keyTag: number;
  signer: Labels;
  /** What of the record is signed: all before the signature itself. */
  head: Buffer;
  signature: Buffer;
};

/** Records of one owner and type, with what signs them. */
export type Rrset = { owner: Labels; type: number; data: Buffer[]; signatures: Signature[] };

export type DnsKey = { flags: number; algorithm: number; key: Buffer; tag: number; data: Buffer };
export type DelegationSigner = { keyTag: number; algorithm: number; digestType: number; digest: Buffer };

/** Groups the records of a section; signatures go to what they cover. */
export function rrsetsOf(records: readonly WireRecord[]): Rrset[] {
  const sets: Rrset[] = [];
  for (const { owner, type, data } of records) {
    if (type === recordTypes.RRSIG || type === recordTypes.OPT) continue;
    const known = sets.find((set) => set.type === type && sameLabels(set.owner, owner));
    // The same record twice is one. Source: RFC 2181 §5.
    if (!known) sets.push({ owner, type, data: [data], signatures: [] });
    else if (!known.data.some((other) => other.equals(data))) known.data.push(data);
  }
  for (const { owner, data } of records.filter(({ type }) => type === recordTypes.RRSIG)) {
    const signature = signatureOf(data);
    const signed = sets.find((set) => set.type === signature?.covered && sameLabels(set.owner, owner));
    if (signature) signed?.signatures.push(signature);
  }
  return sets;
}

/** RFC 4034 §3.1. */
function signatureOf(data: Buffer): Signature | undefined {
  return tryRead(() => {
    const { labels: signer, end } = readName(data, 18);
    return {
      covered: data.readUInt16BE(0),
      algorithm: data.readUInt8(2),
      labels: data.readUInt8(3),
      originalTtl: data.readUInt32BE(4),
      expiration: data.readUInt32BE(8),
      inception: data.readUInt32BE(12),
      keyTag: data.readUInt16BE(16),
      signer,
      head: Buffer.concat([data.subarray(0, 18), signerBytes(data, end)]),
      signature: data.subarray(end),
    };
  });
}

/** The signer's name counts in lower case, however it was sent. Source: RFC 6840 §5.1. */
function signerBytes(data: Buffer, end: number): Buffer {
  const name = Buffer.from(data.subarray(18, end));
  for (const [at, byte] of name.entries()) if (byte >= 0x41 && byte <= 0x5a) name[at] = byte + 0x20;
  return name;
}

/** RFC 4034 §2.1; the protocol is always 3. */
export function keyOf(data: Buffer): DnsKey | undefined {
  if (data.length < 5 || data.readUInt8(2) !== 3) return undefined;
  return { flags: data.readUInt16BE(0), algorithm: data.readUInt8(3), key: data.subarray(4), tag: tagOf(data), data };
}

/** RFC 4034 appendix B. */
function tagOf(data: Buffer): number {
  let sum = 0;
  for (const [at, byte] of data.entries()) sum += at % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}

/** RFC 4034 §5.1. */
export const delegationSignerOf = (data: Buffer): DelegationSigner | undefined =>
  data.length < 5
    ? undefined
    : {
        keyTag: data.readUInt16BE(0),
        algorithm: data.readUInt8(2),
        digestType: data.readUInt8(3),
        digest: data.subarray(4),
      };

/** RFC 4034 §4.1: the next name, and the types that the owner has. */
export const nsecOf = (data: Buffer): { next: Labels; types: Set<number> } | undefined =>
  tryRead(() => {
    const { labels: next, end } = readName(data, 0);
    return { next, types: typesIn(data.subarray(end)) };
  });

export type Nsec3 = {
  algorithm: number;
  isOptOut: boolean;
  iterations: number;
  salt: Buffer;
  next: Buffer;
  types: Set<number>;
};

/** RFC 5155 §3.1. */
export const nsec3Of = (data: Buffer): Nsec3 | undefined =>
  tryRead(() => {
    const salt = data.subarray(5, 5 + data.readUInt8(4));
    const at = 5 + salt.length;
    const next = data.subarray(at + 1, at + 1 + data.readUInt8(at));
    return {
      algorithm: data.readUInt8(0),
      isOptOut: (data.readUInt8(1) & 1) === 1,
      iterations: data.readUInt16BE(2),
      salt,
      next,
      types: typesIn(data.subarray(at + 1 + next.length)),
    };
  });

/** RFC 4034 §4.1.2. */
function typesIn(bitmaps: Buffer): Set<number> {
  const types = new Set<number>();
  for (let at = 0; at + 2 <= bitmaps.length; at += 2 + bitmaps.readUInt8(at + 1)) {
    const bitmap = bitmaps.subarray(at + 2, at + 2 + bitmaps.readUInt8(at + 1));
    for (const [index, byte] of bitmap.entries())
      for (let bit = 0; bit < 8; bit += 1)
        if (byte & (0x80 >> bit)) types.add(bitmaps.readUInt8(at) * 256 + index * 8 + bit);
  }
  return types;
}

/** "A", or "TYPE65" for one that has no name here. Source: RFC 3597 §5. */
export const typeText = (type: number): string =>
  Object.entries(recordTypes).find(([, number]) => number === type)?.[0] ?? `TYPE${type}`;

/** @throws TypeError for a type that is not validated here */
export function typeNumber(type: string): number {
  const number = Object.entries(recordTypes).find(([name]) => name === type)?.[1];
  if (number === undefined) throw new TypeError(`records of type ${type} are not validated`);
  return number;
}

/** "A www.example.com" */
export const rrsetText = ({ type, owner }: Pick<Rrset, 'type' | 'owner'>): string =>
  `${typeText(type)} ${textOf(owner)}`;

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
