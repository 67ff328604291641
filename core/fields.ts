import { Refusal } from './errors.ts';
import { isUuid } from './ids.ts';

/** @throws Refusal NOT_FOUND: what is no id names no org */
export function requireOrgId(orgId: string): string {
  if (!isUuid(orgId)) throw new Refusal('NOT_FOUND', { message: 'There is no such org.' });
  return orgId.toLowerCase();
}

/**
 * A value that the contract requires: where it is missing, the call was refused before (`required` in options.proto), which its
 * type does not say.
 */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a required value is missing: the request was not validated');
  return value;
}
