import { createHash } from 'node:crypto';
import type { Candidate } from '../model/candidate.ts';
import { normaliseRoute } from '../probe/routes.ts';

/**
 * The same for the same weakness in the same place in every scan: values, nonces, ports and order do not enter.
 * @returns 32 hexadecimal digits
 */
export function fingerprintOf(checkId: string, candidate: Candidate): string {
  const { url, parameter, parameterIn } = candidate.location;
  const route = candidate.route ?? normaliseRoute(url);
  return digest([checkId, route, parameter ?? '', parameterIn ?? '']);
}

/** A short name for what is equal when its parts are equal: 32 hexadecimal digits of SHA-256. */
export function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
