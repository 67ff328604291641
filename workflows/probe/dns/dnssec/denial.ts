import { isWithin, type Labels, recordTypes } from '../wire.ts';
import { isFault, type ValidationFault } from './fault.ts';
import { denyByNsec, type NsecRecord, notCovered, nsecCovers } from './nsec.ts';
import { denyByNsec3, hashOfLabel, type Nsec3Record, nsec3Covers } from './nsec3.ts';
import type { Denial, ZoneQuestion } from './question.ts';
import { nsec3Of, nsecOf, type Rrset } from './records.ts';
import { type TrustedZone, verifyRrset } from './signatures.ts';

type Proofs = { nsec: NsecRecord[]; nsec3: Nsec3Record[]; fault?: ValidationFault };

/** Reads the proof out of the authority section. Source: RFC 4035 §5.4, RFC 5155 §8. */
export function denialOf(
  question: ZoneQuestion,
  authority: readonly Rrset[],
  zone: TrustedZone,
  now: Date,
): Denial | ValidationFault {
  const { nsec, nsec3, fault } = proofsIn(authority, zone, now);
  const byNsec = nsec.length > 0 ? denyByNsec(question, nsec) : undefined;
  if (byNsec && !isFault(byNsec)) return byNsec;
  const byNsec3 = nsec3.length > 0 ? denyByNsec3(question, zone.name, nsec3) : undefined;
  if (byNsec3 && !isFault(byNsec3)) return byNsec3;
  return byNsec3 ?? byNsec ?? fault ?? notCovered(question, question.name);
}

/** Whether the exact name is denied, beside an answer from a wildcard. Source: RFC 4035 §5.3.4, RFC 5155 §8.8. */
export function exactNameDenied(
  question: ZoneQuestion,
  expandedFrom: Labels,
  authority: readonly Rrset[],
  zone: TrustedZone,
  now: Date,
): ValidationFault | undefined {
  const { nsec, nsec3, fault } = proofsIn(authority, zone, now);
  const nextCloser = question.name.slice(question.name.length - expandedFrom.length - 1);
  const isDenied =
    nsec.some((record) => nsecCovers(record, question.name)) || nsec3.some((record) => nsec3Covers(record, nextCloser));
  return isDenied ? undefined : (fault ?? notCovered(question, question.name));
}

/** Sets whose signatures are verified: a proof needs three, and a hostile zone may send hundreds. */
const maxSets = 16;

function proofsIn(authority: readonly Rrset[], zone: TrustedZone, now: Date): Proofs {
  const proofs: Proofs = { nsec: [], nsec3: [] };
  const denying = authority.filter(({ type }) => type === recordTypes.NSEC || type === recordTypes.NSEC3);
  for (const rrset of denying.slice(0, maxSets)) {
    const signed = verifyRrset(rrset, zone, now);
    if (isFault(signed)) proofs.fault = signed;
    // A proof that came from a wildcard is none: it would stand for any name.
    if (isFault(signed) || signed.expandedFrom || !isWithin(rrset.owner, zone.name)) continue;
    for (const data of rrset.data) {
      const nsec = rrset.type === recordTypes.NSEC ? nsecOf(data) : undefined;
      const nsec3 = rrset.type === recordTypes.NSEC3 ? nsec3Of(data) : undefined;
      if (nsec) proofs.nsec.push({ owner: rrset.owner, ...nsec });
      if (nsec3) proofs.nsec3.push({ hash: hashOfLabel(rrset.owner[0] ?? ''), ...nsec3 });
    }
  }
  return proofs;
}
