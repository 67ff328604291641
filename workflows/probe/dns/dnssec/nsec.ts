import { compareLabels, isWithin, type Labels, recordTypes, sameLabels, textOf } from '../wire.ts';
import type { ValidationFault } from './fault.ts';
import type { Denial, ZoneQuestion } from './question.ts';
import { typeText } from './records.ts';

/** A verified NSEC record: between the owner and the next name there is nothing. Source: RFC 4034 §4. */
export type NsecRecord = { owner: Labels; next: Labels; types: ReadonlySet<number> };

/** Whether the name stands in the gap after the owner. The last record of a zone leads to the first. */
export function nsecCovers({ owner, next, types }: NsecRecord, name: Labels): boolean {
  // What stands below a delegation or a DNAME is not in the zone, so the gap after it says nothing of that.
  if (isWithin(name, owner) && !sameLabels(name, owner) && hidesNamesBelow(types)) return false;
  const isAfter = compareLabels(owner, name) < 0;
  const isLast = compareLabels(next, owner) <= 0;
  return isAfter && (isLast || compareLabels(name, next) < 0);
}

/** RFC 6840 §4.1, RFC 6672 §5.3.4.1. */
export const hidesNamesBelow = (types: ReadonlySet<number>): boolean =>
  types.has(recordTypes.DNAME) || (types.has(recordTypes.NS) && !types.has(recordTypes.SOA));

/** RFC 4035 §5.4. */
export function denyByNsec(question: ZoneQuestion, records: readonly NsecRecord[]): Denial | ValidationFault {
  const { name, type } = question;
  const match = records.find(({ owner }) => sameLabels(owner, name));
  if (match) return noData(question, match.types);
  const cover = records.find((record) => nsecCovers(record, name));
  if (!cover) return notCovered(question, name);
  // The next name stands below this one, so this one exists without records of its own.
  if (isWithin(cover.next, name)) return { kind: 'no-data', types: new Set() };
  const encloser = longer(common(name, cover.owner), common(name, cover.next));
  const wildcard = ['*', ...encloser];
  const star = records.find(({ owner }) => sameLabels(owner, wildcard));
  if (star) return noData({ name: wildcard, type }, star.types);
  return records.some((record) => nsecCovers(record, wildcard)) ? { kind: 'no-name' } : notCovered(question, wildcard);
}

/**
 * What the types of the name itself say. A delegation answers for no type but DS, and the zone below it for all but that.
 * Source: RFC 6840 §4.1, §4.3.
 */
export function noData({ name, type }: ZoneQuestion, types: ReadonlySet<number>): Denial | ValidationFault {
  const isDelegation = types.has(recordTypes.NS) && !types.has(recordTypes.SOA);
  const isOfOtherSide = type === recordTypes.DS ? types.has(recordTypes.SOA) && name.length > 0 : isDelegation;
  if (isOfOtherSide)
    return {
      fault: 'missing-denial',
      reason: `the proof for ${typeText(type)} ${textOf(name)} is of the other side of a delegation`,
    };
  if (types.has(type) || types.has(recordTypes.CNAME))
    return {
      fault: 'wrong-denial',
      reason: `${typeText(type)} ${textOf(name)} was not given, but the signed proof says that the name has it`,
    };
  return { kind: 'no-data', types };
}

export const notCovered = ({ name, type }: ZoneQuestion, missing: Labels): ValidationFault => ({
  fault: 'missing-denial',
  reason: `no signed record proves that ${typeText(type)} ${textOf(name)} does not exist: none covers ${textOf(missing)}`,
});

/** The part at the end that two names share. */
function common(a: Labels, b: Labels): Labels {
  let depth = 0;
  while (depth < Math.min(a.length, b.length) && a.at(-depth - 1) === b.at(-depth - 1)) depth += 1;
  return a.slice(a.length - depth);
}

const longer = (a: Labels, b: Labels): Labels => (a.length >= b.length ? a : b);
