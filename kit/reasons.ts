import { getOption } from '@bufbuild/protobuf';
import { Reason, ReasonSchema, type RefusalRule, refusal } from '../proto/gen/scanaudit/v1/reasons_pb.ts';

/** Why a request is refused, as errors say it, for instance "INVALID_URL". */
export type ReasonName = Exclude<keyof typeof Reason, 'UNSPECIFIED'>;

export const isReason = (name: string): name is ReasonName => name !== 'UNSPECIFIED' && Object.hasOwn(Reason, name);

/** Undefined for none. @throws TypeError for a number that the contract does not have */
export function reasonName(reason: Reason): ReasonName | undefined {
  if (reason === Reason.UNSPECIFIED) return undefined;
  const name = ReasonSchema.value[reason]?.localName;
  if (name === undefined || !isReason(name)) throw new TypeError(`the contract has no reason ${reason}`);
  return name;
}

/** What the contract says of a reason. */
export function ruleOf(name: ReasonName): RefusalRule {
  const value = ReasonSchema.value[Reason[name]];
  if (!value) throw new TypeError(`the contract has no reason ${name}`);
  return getOption(value, refusal);
}
