import { isWithin, type Labels, recordTypes, sameLabels, textOf } from '../wire.ts';
import type { TrustAnchor } from './anchors.ts';
import { denialOf, exactNameDenied } from './denial.ts';
import { isFault, type ValidationFault } from './fault.ts';
import { isSupported, isVouchedFor, isZoneKey, usableSigners } from './keys.ts';
import type { Denial, ZoneQuestion } from './question.ts';
import { type DelegationSigner, delegationSignerOf, keyOf, type Rrset, rrsetText } from './records.ts';
import { type TrustedZone, verifyRrset } from './signatures.ts';

/** An answer with its signatures. */
export type SignedReply = { answers: Rrset[]; authority: Rrset[] };

/** Where answers come from. */
export type ZoneSource = {
  /** Answers of one zone, each from another of its servers, as long as the caller takes them; none when nobody answers. */
  ask(zone: Labels, question: ZoneQuestion): AsyncIterable<SignedReply>;
};

export type ChainOutcome =
  | { status: 'secure'; zone: Labels }
  | { status: 'insecure'; zone: Labels; fault: ValidationFault }
  | { status: 'bogus'; zone: Labels; fault: ValidationFault }
  | { status: 'indeterminate'; zone: Labels; fault: ValidationFault };

/** What the zone above says of a name: that a signed zone begins there, that an unsigned one does, or neither. */
type Cut =
  | { kind: 'signed'; signers: DelegationSigner[] }
  | { kind: 'unsigned'; because: ValidationFault }
  | { kind: 'none' };

/**
 * Validates the answer to a question from the trust anchor down. A server with wrong answers beside one with right ones
 * makes nothing bogus: others are asked until one is right. Source: RFC 4035 §5, RFC 6840.
 */
export async function validate(
  question: ZoneQuestion,
  anchor: TrustAnchor,
  source: ZoneSource,
  now: Date,
): Promise<ChainOutcome> {
  const top = anchor.zone;
  if (!isWithin(question.name, top)) return unknown(top, `${textOf(question.name)} is not below the trust anchor`);
  let signers = anchor.signers;
  let name = top;
  for (;;) {
    const zone = await enter(name, signers, source, now);
    if (isFault(zone)) return failed(name, zone);
    const next = await nextZone(question, zone, source, now);
    if (isFault(next)) return failed(zone.name, next);
    if ('end' in next) return next.end;
    ({ name, signers } = next);
  }
}

const failed = (zone: Labels, fault: ValidationFault): ChainOutcome =>
  fault.fault === 'no-answer' ? { status: 'indeterminate', zone, fault } : { status: 'bogus', zone, fault };

const unknown = (zone: Labels, reason: string): ChainOutcome => failed(zone, { fault: 'no-answer', reason });

/** The keys of a zone, by what the zone above says of them. Source: RFC 4035 §5.2. */
function enter(
  name: Labels,
  signers: readonly DelegationSigner[],
  source: ZoneSource,
  now: Date,
): Promise<TrustedZone | ValidationFault> {
  const question = { name, type: recordTypes.DNSKEY };
  return firstRight(source, name, question, ({ answers }) => {
    const rrset = setOf(answers, question);
    if (!rrset) return { fault: 'missing-keys', reason: `the zone ${textOf(name)} shows no keys` };
    const keys = rrset.data.flatMap((data) => keyOf(data) ?? []);
    const entries = keys.filter(
      (key) => isZoneKey(key) && usableSigners(signers).some((signer) => isVouchedFor(name, key, signer)),
    );
    if (entries.length === 0)
      return mismatch(
        name,
        signers,
        keys.map(({ tag }) => tag),
      );
    const signed = verifyRrset(rrset, { name, keys: entries }, now);
    return isFault(signed) ? signed : { name, keys };
  });
}

const mismatch = (name: Labels, signers: readonly DelegationSigner[], tags: readonly number[]): ValidationFault => ({
  fault: 'ds-mismatch',
  reason: `the zone above vouches for key ${signers.map(({ keyTag }) => keyTag).join(', ')} of ${textOf(name)}, whose keys are ${tags.join(', ')}`,
});

type Next = { name: Labels; signers: DelegationSigner[] } | { end: ChainOutcome };

/** Goes down from a zone to the next one on the way to the name, or ends with the answer of this one. */
async function nextZone(
  question: ZoneQuestion,
  zone: TrustedZone,
  source: ZoneSource,
  now: Date,
): Promise<Next | ValidationFault> {
  const { name, type } = question;
  // A delegation belongs to the zone above it.
  const lowest = type === recordTypes.DS && name.length > zone.name.length ? name.length - 1 : name.length;
  for (let depth = zone.name.length + 1; depth <= lowest; depth += 1) {
    const child = name.slice(name.length - depth);
    const cut = await cutAt(child, zone, source, now);
    if (isFault(cut)) {
      // Whoever signs the answer itself is enough: validators ask nobody whether a zone begins in between.
      const answer = await answerOf(question, zone, source, now);
      return isFault(answer) ? cut : answer;
    }
    if (cut.kind === 'unsigned') return { end: { status: 'insecure', zone: child, fault: cut.because } };
    if (cut.kind === 'signed') return { name: child, signers: cut.signers };
  }
  return answerOf(question, zone, source, now);
}

async function answerOf(
  question: ZoneQuestion,
  zone: TrustedZone,
  source: ZoneSource,
  now: Date,
): Promise<{ end: ChainOutcome } | ValidationFault> {
  const answer = await firstRight(source, zone.name, question, (reply) => judge(question, reply, zone, now));
  if (isFault(answer)) return answer;
  return answer.kind === 'too-many-iterations'
    ? { end: { status: 'insecure', zone: zone.name, fault: tooManyIterations(zone.name) } }
    : { end: { status: 'secure', zone: zone.name } };
}

function cutAt(name: Labels, zone: TrustedZone, source: ZoneSource, now: Date): Promise<Cut | ValidationFault> {
  const question = { name, type: recordTypes.DS };
  return firstRight(source, zone.name, question, ({ answers, authority }): Cut | ValidationFault => {
    const rrset = setOf(answers, question);
    if (rrset) return signedCut(name, rrset, zone, now);
    // The name is an alias, or below one: no zone begins there.
    if (aliasFor(answers, name)) return { kind: 'none' };
    const denial = denialOf(question, authority, zone, now);
    return isFault(denial) ? denial : unsignedCut(name, denial, zone.name);
  });
}

function signedCut(name: Labels, rrset: Rrset, zone: TrustedZone, now: Date): Cut | ValidationFault {
  const signed = verifyRrset(rrset, zone, now);
  if (isFault(signed)) return signed;
  const signers = rrset.data.flatMap((data) => delegationSignerOf(data) ?? []);
  if (signers.some(isSupported)) return { kind: 'signed', signers };
  const used = [...new Set(signers.map(({ algorithm, digestType }) => `${algorithm} with digest ${digestType}`))];
  const reason = `${textOf(name)} is signed with an algorithm that is not verified here: ${used.join(', ')}`;
  return { kind: 'unsigned', because: { fault: 'unsupported-algorithm', reason } };
}

function unsignedCut(name: Labels, denial: Denial, zone: Labels): Cut {
  if (denial.kind === 'too-many-iterations') return { kind: 'unsigned', because: tooManyIterations(zone) };
  const isDelegation = denial.kind === 'opt-out' || (denial.kind === 'no-data' && denial.types.has(recordTypes.NS));
  if (!isDelegation) return { kind: 'none' };
  const reason = `the zone ${textOf(zone)} proves that it vouches for no key of ${textOf(name)}`;
  return { kind: 'unsigned', because: { fault: 'unsigned-delegation', reason } };
}

const tooManyIterations = (zone: Labels): ValidationFault => ({
  fault: 'too-many-iterations',
  reason: `the zone ${textOf(zone)} hashes its names more often than validators do (RFC 9276)`,
});

/** The answer itself: records, an alias, or the proof that there is neither. */
function judge(
  question: ZoneQuestion,
  { answers, authority }: SignedReply,
  zone: TrustedZone,
  now: Date,
): Denial | { kind: 'records' } | ValidationFault {
  const rrset = setOf(answers, question) ?? aliasFor(answers, question.name);
  if (!rrset) return denialOf(question, authority, zone, now);
  const signed = verifyRrset(rrset, zone, now);
  if (isFault(signed)) return signed;
  const denied = signed.expandedFrom && exactNameDenied(question, signed.expandedFrom, authority, zone, now);
  return denied ?? { kind: 'records' };
}

const setOf = (sets: readonly Rrset[], { name, type }: ZoneQuestion): Rrset | undefined =>
  sets.find((set) => set.type === type && sameLabels(set.owner, name));

/** What answers in place of a name: a DNAME above it, which the CNAME beside it is made from without a signature, or a CNAME. */
const aliasFor = (sets: readonly Rrset[], name: Labels): Rrset | undefined =>
  sets.find(({ type, owner }) => type === recordTypes.DNAME && isWithin(name, owner) && name.length > owner.length) ??
  setOf(sets, { name, type: recordTypes.CNAME });

/** Takes answers until one holds. @returns the last fault when none does */
async function firstRight<T extends object>(
  source: ZoneSource,
  zone: Labels,
  question: ZoneQuestion,
  judgeReply: (reply: SignedReply) => T | ValidationFault,
): Promise<T | ValidationFault> {
  let last: ValidationFault = {
    fault: 'no-answer',
    reason: `no server of ${textOf(zone)} answered for ${rrsetText({ ...question, owner: question.name })}`,
  };
  for await (const reply of source.ask(zone, question)) {
    const judged = judgeReply(reply);
    if (!isFault(judged)) return judged;
    last = judged;
  }
  return last;
}
