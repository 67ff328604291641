import { invalid, Refusal } from './errors.ts';
import { isUuid } from './ids.ts';

/** Rules for single fields. Each throws Refusal INVALID_PARAMETER, naming the field, unless it says otherwise. */

export function requireLength(field: string, text: string, min: number, max: number): void {
  if (text.length < min || text.length > max)
    throw invalid('INVALID_PARAMETER', field, `use ${min} to ${max} characters`);
}

export function requireRange(field: string, value: number, min: number, max: number): void {
  if (value < min || value > max) throw invalid('INVALID_PARAMETER', field, `use ${min} to ${max}`);
}

/** @throws Refusal NOT_FOUND: what is no id names no org */
export function requireOrgId(orgId: string): string {
  if (!isUuid(orgId)) throw new Refusal('NOT_FOUND', { message: 'There is no such org.' });
  return orgId.toLowerCase();
}
