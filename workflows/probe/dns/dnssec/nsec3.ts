import { createHash } from 'node:crypto';
import { isWithin, type Labels, nameBytes } from '../wire.ts';
import type { ValidationFault } from './fault.ts';
import { hidesNamesBelow, noData, notCovered } from './nsec.ts';
import type { Denial, ZoneQuestion } from './question.ts';
import type { Nsec3 } from './records.ts';

/** A verified NSEC3 record: between its hash and the next one there is no name. Source: RFC 5155 §3. */
export type Nsec3Record = Nsec3 & { hash: Buffer };

/** What validators go up to. Source: RFC 9276 §3.2, BIND 9.20, Knot Resolver, PowerDNS Recursor. */
const maxIterations = 50;
/** A proof needs three; each name above the one asked for is hashed for each record (CVE-2023-50868). */
const maxRecords = 16;
const sha1 = 1;

/** RFC 5155 §8.3 to §8.7. */
export function denyByNsec3(
  question: ZoneQuestion,
  zone: Labels,
  records: readonly Nsec3Record[],
): Denial | ValidationFault {
  if (records.some(({ iterations }) => iterations > maxIterations)) return { kind: 'too-many-iterations' };
  const usable = records.filter(({ algorithm }) => algorithm === sha1).slice(0, maxRecords);
  const { name, type } = question;
  const match = matching(usable, name);
  if (match) return noData(question, match.types);
  const encloser = closestEncloser(usable, zone, name);
  if (!encloser) return notCovered(question, name);
  const nextCloser = name.slice(name.length - encloser.length - 1);
  const cover = usable.find((record) => nsec3Covers(record, nextCloser));
  if (!cover) return notCovered(question, nextCloser);
  if (cover.isOptOut) return { kind: 'opt-out' };
  const wildcard = ['*', ...encloser];
  const star = matching(usable, wildcard);
  if (star) return noData({ name: wildcard, type }, star.types);
  return usable.some((record) => nsec3Covers(record, wildcard)) ? { kind: 'no-name' } : notCovered(question, wildcard);
}

/** The nearest name above that exists. Source: RFC 5155 §8.3. */
function closestEncloser(records: readonly Nsec3Record[], zone: Labels, name: Labels): Labels | undefined {
  for (let above = name.slice(1); isWithin(above, zone); above = above.slice(1)) {
    const match = matching(records, above);
    if (match) return hidesNamesBelow(match.types) ? undefined : above;
    if (above.length === 0) break;
  }
  return undefined;
}

const matching = (records: readonly Nsec3Record[], name: Labels): Nsec3Record | undefined =>
  records.find((record) => record.hash.equals(nsec3Hash(name, record)));

/** Whether the hash of the name stands in the gap. The last record of a zone leads to the first. */
export function nsec3Covers(record: Nsec3Record, name: Labels): boolean {
  if (record.iterations > maxIterations) return false;
  const hash = nsec3Hash(name, record);
  const isAfter = Buffer.compare(record.hash, hash) < 0;
  const isBefore = Buffer.compare(hash, record.next) < 0;
  return Buffer.compare(record.hash, record.next) < 0 ? isAfter && isBefore : isAfter || isBefore;
}

/** RFC 5155 §5. */
export function nsec3Hash(name: Labels, { salt, iterations }: Pick<Nsec3, 'salt' | 'iterations'>): Buffer {
  let hash = createHash('sha1').update(nameBytes(name)).update(salt).digest();
  for (let done = 0; done < iterations; done += 1) hash = createHash('sha1').update(hash).update(salt).digest();
  return hash;
}

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** "Base 32 with extended hex alphabet", without padding. Source: RFC 4648 §7. */
export function hashOfLabel(label: string): Buffer {
  const bits = [...label].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export function labelOfHash(hash: Buffer): string {
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
