import { createHash } from 'node:crypto';
import type { Candidate } from '../model/candidate.ts';
import { partRoute } from '../probe/program-parts.ts';

/**
 * The same for the same weakness in the same place in every scan: values, nonces, ports and order do not enter.
 * @param weakness as `weaknessOf` names it
 * @returns 32 hexadecimal digits
 */
export function fingerprintOf(weakness: string, candidate: Candidate): string {
  const { url, parameter, parameterIn } = candidate.location;
  const route = candidate.route ?? partRoute(url);
  const place = parameterIn === 'path' ? withoutSegment(route, Number(parameter)) : route;
  return digest([weakness, place, parameter ?? '', parameterIn ?? '']);
}

/** What stands where a path takes a value is one of its values, also where it reads like a name. */
const withoutSegment = (route: string, position: number): string =>
  route
    .split('/')
    .map((segment, index) => (index === position ? '{value}' : segment))
    .join('/');

/** What findings of a check are one of, together with those of other checks that prove the same in other ways. */
export const weaknessOf = ({ id, weakness = id }: { id: string; weakness?: string }): string => weakness;

/** A short name for what is equal when its parts are equal: 32 hexadecimal digits of SHA-256. */
export function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
