import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificatePath } from '../../model/tls.ts';
import { canonicalHost } from '../guard/address.ts';
import { describeCertificate, signatureOf } from './certificate.ts';
import { bestPath, dateError, isAmong, type Path, reliedOn } from './path.ts';

/**
 * OpenSSL's code for each way in which verification fails at a certificate's issuer; the last of what it finds is its verdict, so
 * that a date that does not fit hides them.
 */
const endOf: Record<string, CertificatePath['end']> = {
  '': 'trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed',
  UNABLE_TO_GET_ISSUER_CERT: 'incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete',
};
const dateCodes = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];

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
  const path = bestPath(sent, authorities, now);
  // As Node says where no certificate came.
  if (!leaf || !path) return 'UNABLE_TO_GET_ISSUER_CERT';
  const dates = path.certificates.map((certificate) => dateError(certificate, now)).find((code) => code !== '');
  if (dates) return dates;
  const isAlone = path.certificates.length === 1;
  if (path.end === 'self-signed') return isAlone ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'SELF_SIGNED_CERT_IN_CHAIN';
  if (path.end === 'incomplete')
    return isAlone ? 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' : 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY';
  return isFor(leaf, canonicalHost(host)) ? '' : 'ERR_TLS_CERT_ALTNAME_INVALID';
}

type Judged = {
  path: CertificatePath | undefined;
  /** Algorithms of the signatures that verification relies on, the leaf's first; none is that of a certificate's own. */
  signatures: string[];
};

/**
 * Judges whom the certificates lead to, apart from their dates and names.
 * @param sent leaf first, the others in any order
 * @param code what OpenSSL says of them: its word counts, but for a date, behind which it says nothing of the rest
 */
export function judgeChain(
  sent: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  code: string,
  now = Date.now(),
): Judged {
  const path = bestPath(sent, authorities, now);
  if (!path) return { path: undefined, signatures: [] };
  const relied = reliedOn(path, authorities);
  const isSelfSigned = path.end === 'self-signed' && path.certificates.length === 1;
  const isKnown = path.certificates[0] && isAmong(authorities, path.certificates[0]);
  return {
    path: describePath(path, relied, dateCodes.includes(code) ? path.end : (endOf[code] ?? 'refused')),
    signatures: isSelfSigned || isKnown ? [] : relied.map(signatureOf),
  };
}

function describePath(path: Path, relied: readonly X509Certificate[], end: CertificatePath['end']): CertificatePath {
  const times = relied.map(describeCertificate);
  const by = (field: 'validFrom' | 'validTo') => times.map((each) => each[field]).toSorted();
  return {
    end,
    certificates: path.certificates.map(describeCertificate),
    validFrom: by('validFrom').at(-1) ?? '',
    validTo: by('validTo')[0] ?? '',
  };
}

const isFor = (leaf: X509Certificate, host: string): boolean =>
  (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host)) !== undefined;
