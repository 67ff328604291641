import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { canonicalHost } from '../guard/address.ts';
import { signatureOf } from './certificate.ts';
import { isSignedBy } from './trust.ts';

/** No real chain is as long. */
const maxDepth = 16;

/**
 * What OpenSSL would say of a chain that came outside of a handshake of its own. Source: RFC 5280 §6.1, RFC 9525.
 * @param sent leaf first, the others in any order
 * @returns its code, for instance "CERT_HAS_EXPIRED"; "" when the chain is trusted and the name fits
 */
export function authorizationErrorOf(
  sent: readonly X509Certificate[],
  host: string,
  authorities: readonly X509Certificate[],
  now = Date.now(),
): string {
  const [leaf] = sent;
  // As Node says where no certificate came.
  if (!leaf) return 'UNABLE_TO_GET_ISSUER_CERT';
  const { path, error } = pathFrom(leaf, sent, authorities);
  const dates = path.map((certificate) => dateError(certificate, now)).find((code) => code !== '');
  if (dates ?? error) return dates ?? error;
  return isFor(leaf, canonicalHost(host)) ? '' : 'ERR_TLS_CERT_ALTNAME_INVALID';
}

/**
 * Algorithms of the signatures that verification of a chain relies on, the leaf's first. That of a known authority is none of
 * them, also where it was sent as the intermediate of another one, nor is a signature of a certificate's own.
 */
export function signaturesOn(sent: readonly X509Certificate[], authorities: readonly X509Certificate[]): string[] {
  const [leaf] = sent;
  const { path } = leaf ? pathFrom(leaf, sent, authorities) : { path: [] };
  return path
    .filter((certificate) => !isAmong(authorities, certificate) && !hasIssued(certificate, certificate))
    .map(signatureOf);
}

const isAmong = (authorities: readonly X509Certificate[], { fingerprint256 }: X509Certificate): boolean =>
  authorities.some((known) => known.fingerprint256 === fingerprint256);

/** From the leaf to a trusted authority, or as far as it goes, with the reason why it goes no farther. */
function pathFrom(
  leaf: X509Certificate,
  sent: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): { path: X509Certificate[]; error: string } {
  const path = [leaf];
  while (path.length < maxDepth) {
    const last = path.at(-1) ?? leaf;
    if (isAmong(authorities, last)) return { path, error: '' };
    const authority = authorities.find((known) => hasIssued(last, known));
    if (authority) return { path: [...path, authority], error: '' };
    if (hasIssued(last, last))
      return { path, error: path.length === 1 ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'SELF_SIGNED_CERT_IN_CHAIN' };
    const next = sent.find((candidate) => !path.includes(candidate) && hasIssued(last, candidate));
    if (!next) break;
    path.push(next);
  }
  return {
    path,
    error: path.length === 1 ? 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' : 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  };
}

/** Keys of hostile certificates need not be keys. */
function hasIssued(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return isSignedBy(certificate, authority);
  } catch {
    return false;
  }
}

function dateError({ validFromDate, validToDate }: X509Certificate, now: number): string {
  if (validFromDate.getTime() > now) return 'CERT_NOT_YET_VALID';
  // Dates that are none are in no validity either.
  return validToDate.getTime() >= now ? '' : 'CERT_HAS_EXPIRED';
}

const isFor = (leaf: X509Certificate, host: string): boolean =>
  (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host)) !== undefined;
