import { pointerTo } from '../../model/json-pointer.ts';
import { looksSecret } from '../../proof/redact.ts';
import { elevations } from './elevations.ts';

type Scalar = string | number | boolean;
/** A role, or a list of them. */
export type RoleValue = Scalar | readonly string[];
export type Profile = Record<string, unknown>;
export type Raise = {
  field: string;
  before: RoleValue;
  raised: RoleValue;
  /** The part of the profile that has the field: `account` of `{ "account": { "role": "user" } }`. */
  within?: { name: string; value: Profile };
};

const roleField =
  /^(?:(?:user|account|member)?[-_]?(?:role|type)|(?:user|account|member)[-_]?group|(?:is[-_]?)?(?:admin|administrator|staff|super[-_]?user)|privileges?|(?:access|user|privilege|permission|clearance)[-_]?level)$/i;
/** Members that hold more than one role or right. */
const listField = /^(?:roles|permissions|groups|scopes|authorities|privileges)$/i;
/** Parts of a profile that are about the account, and not about what somebody does elsewhere. */
const accountPart =
  /^(?:user|account|profile|auth|access|security|membership|rights|permissions|privileges|attributes|meta(?:data)?|settings)$/i;
const maxRoles = 20;

/** Roles that the profile and its parts have. */
export const allRaisesOf = (profile: Profile): Raise[] => [...raisesOf(profile), ...raisesWithin(profile)];

/** Roles that the profile has, each with the likeliest higher value. */
export function raisesOf(profile: Profile): Raise[] {
  const raises: Raise[] = elevations(profile).flatMap(({ claims }) =>
    Object.keys(profile).flatMap((field): Raise[] => {
      const [before, raised] = [profile[field], claims[field]];
      if (isRoleList(field, before) && isRoleList(field, raised))
        return raised.length > before.length ? [{ field, before, raised }] : [];
      const isRaise = roleField.test(field) && isScalar(before) && isScalar(raised) && before !== raised;
      return isRaise ? [{ field, before, raised }] : [];
    }),
  );
  return [...new Map(raises.toReversed().map((raise) => [raise.field, raise])).values()];
}

/** The same of parts of the profile, one level below. */
const raisesWithin = (profile: Profile): Raise[] =>
  Object.entries(profile).flatMap(([name, part]) => {
    if (!accountPart.test(name) || typeof part !== 'object' || part === null || Array.isArray(part)) return [];
    // All of it is sent along, and stands in the ledger of writes.
    if (looksSecret(JSON.stringify(part))) return [];
    const value: Profile = { ...part };
    return raisesOf(value).map((raise): Raise => ({ ...raise, within: { name, value } }));
  });

const isRoleList = (field: string, value: unknown): value is string[] =>
  listField.test(field) &&
  Array.isArray(value) &&
  value.length <= maxRoles &&
  value.every((each) => typeof each === 'string');

/** The member of the profile that a raise changes. */
export const memberOf = ({ field, within }: Raise): string => within?.name ?? field;

/** Where the profile has the role (RFC 6901). */
export const roleAt = ({ field, within }: Raise): string => (within ? pointerTo(within.name) : '') + pointerTo(field);

/** For the reader: `account.role`. */
export const nameOf = ({ field, within }: Raise): string => (within ? `${within.name}.${field}` : field);

export const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);
