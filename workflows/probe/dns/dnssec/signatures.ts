import { type Labels, nameBytes, sameLabels, textOf } from '../wire.ts';
import type { ValidationFault } from './fault.ts';
import { isSignedBy, isZoneKey } from './keys.ts';
import { type DnsKey, type Rrset, rrsetText, type Signature } from './records.ts';

/** A zone whose keys are trusted. */
export type TrustedZone = { name: Labels; keys: readonly DnsKey[] };

/** What a good signature says; `expandedFrom` is the name that the wildcard of its records stands below. */
type Signed = { expandedFrom?: Labels };

/** Pairs of key and signature that are tried for one set; a hostile zone may offer thousands. Source: CVE-2023-50387. */
const maxTrials = 16;

/** Verifies the records of one name and type by a zone's keys. Source: RFC 4035 §5.3. */
export function verifyRrset(rrset: Rrset, zone: TrustedZone, now: Date): Signed | ValidationFault {
  const own = rrset.signatures.filter(({ signer }) => sameLabels(signer, zone.name));
  let last: ValidationFault = {
    fault: 'missing-signature',
    reason: `${rrsetText(rrset)} has no signature of ${zoneText(zone)}`,
  };
  let trials = 0;
  for (const signature of own) {
    const untimely = wrongTime(rrset, signature, now);
    if (untimely || signature.labels > labelCount(rrset.owner)) {
      last = untimely ?? wrong(rrset, signature);
      continue;
    }
    const keys = zone.keys.filter(
      (key) => key.tag === signature.keyTag && key.algorithm === signature.algorithm && isZoneKey(key),
    );
    if (keys.length === 0) last = noKey(rrset, signature, zone);
    for (const key of keys) {
      trials += 1;
      if (trials > maxTrials) return last;
      if (isSignedBy(signedBytes(rrset, signature), signature.signature, key)) return expansionOf(rrset, signature);
      last = wrong(rrset, signature);
    }
  }
  return last;
}

/** Labels that a signature counts: without that of a wildcard. Source: RFC 4034 §3.1.3. */
const labelCount = (owner: Labels): number => owner.length - (owner[0] === '*' ? 1 : 0);

function expansionOf({ owner }: Rrset, { labels }: Signature): Signed {
  return labels < labelCount(owner) ? { expandedFrom: owner.slice(owner.length - labels) } : {};
}

/** RFC 4035 §5.3.2. */
function signedBytes({ owner, type, data }: Rrset, { labels, originalTtl, head }: Signature): Buffer {
  const name = nameBytes(labels < labelCount(owner) ? ['*', ...owner.slice(owner.length - labels)] : owner);
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(originalTtl, 4);
  const records = data.toSorted(Buffer.compare).flatMap((one) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(one.length);
    return [name, fixed, length, one];
  });
  return Buffer.concat([head, ...records]);
}

/** Times wrap around every 136 years. Source: RFC 4034 §3.1.5. */
function wrongTime(rrset: Rrset, { inception, expiration }: Signature, now: Date): ValidationFault | undefined {
  const seconds = Math.floor(now.getTime() / 1000);
  const behind = (seconds - expiration) | 0;
  const ahead = (inception - seconds) | 0;
  if (behind > 0)
    return {
      fault: 'expired-signature',
      reason: `the signature of ${rrsetText(rrset)} ended ${day(seconds - behind)}`,
    };
  return ahead > 0
    ? { fault: 'future-signature', reason: `the signature of ${rrsetText(rrset)} begins ${day(seconds + ahead)}` }
    : undefined;
}

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');

const noKey = (rrset: Rrset, { keyTag, algorithm }: Signature, zone: TrustedZone): ValidationFault => ({
  fault: 'no-such-key',
  reason: `${rrsetText(rrset)} is signed with key ${keyTag} (algorithm ${algorithm}), which ${zoneText(zone)} does not have`,
});

const wrong = (rrset: Rrset, { keyTag }: Signature): ValidationFault => ({
  fault: 'wrong-signature',
  reason: `the signature of ${rrsetText(rrset)} with key ${keyTag} does not fit the records`,
});

const zoneText = ({ name }: TrustedZone): string => `the zone ${textOf(name)}`;
