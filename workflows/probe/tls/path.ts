import type { X509Certificate } from 'node:crypto';
import { namesItself } from './certificate.ts';

/** Certificates from the leaf up, as far as their issuers can be had, and what stands at the end. */
export type Path = {
  end: 'trusted' | 'self-signed' | 'incomplete';
  certificates: X509Certificate[];
};

/** No real chain is as long. */
const maxDepth = 16;
/** Authorities that have signed each other make some ways; hostile certificates could make any number. */
const maxPaths = 32;
/** Signatures with long keys take their time, and a hostile server chooses the keys. */
const maxVerifications = 64;

/**
 * The best way from a leaf to a known authority: one on which all dates fit, else any, else one that ends at a certificate
 * that is self-signed, else one whose issuer is missing. Source: RFC 4158 §2, RFC 5280 §6.1.
 * @param sent leaf first, the others in any order; those that have nothing to do with it are skipped
 */
export function bestPath(
  sent: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): Path | undefined {
  const [leaf] = sent;
  if (!leaf) return undefined;
  const rank = (path: Path): number => {
    if (path.end === 'trusted') return reliedOn(path, authorities).every((each) => dateError(each, now) === '') ? 0 : 1;
    return path.end === 'self-signed' ? 2 : 3;
  };
  return pathsFrom(leaf, sent, authorities).toSorted((a, b) => rank(a) - rank(b))[0];
}

/**
 * Those whose dates and signatures count: neither a known authority, also where it was sent as the intermediate of another
 * one, nor a root that nobody knows; the leaf always.
 */
export const reliedOn = ({ certificates, end }: Path, authorities: readonly X509Certificate[]): X509Certificate[] =>
  certificates.filter((certificate, index) => {
    const isRoot = end === 'self-signed' && index === certificates.length - 1;
    return index === 0 || (!isRoot && !isAmong(authorities, certificate));
  });

/** OpenSSL's code; "" in the validity. Dates that are none are in no validity. */
export function dateError({ validFromDate, validToDate }: X509Certificate, now: number): string {
  if (validFromDate.getTime() > now) return 'CERT_NOT_YET_VALID';
  return validToDate.getTime() >= now ? '' : 'CERT_HAS_EXPIRED';
}

function pathsFrom(
  leaf: X509Certificate,
  sent: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): Path[] {
  const paths: Path[] = [];
  const hasIssued = issuing();
  const follow = (certificates: X509Certificate[]): void => {
    if (paths.length >= maxPaths) return;
    const last = certificates.at(-1) ?? leaf;
    const end = (how: Path['end'], ...more: X509Certificate[]) =>
      paths.push({ end: how, certificates: [...certificates, ...more] });
    if (isAmong(authorities, last)) return void end('trusted');
    const known = authorities.filter((authority) => hasIssued(authority, last));
    for (const authority of known) end('trusted', authority);
    if (hasIssued(last, last)) return void end('self-signed');
    const issuers = sent.filter((each) => each.ca && !certificates.includes(each) && hasIssued(each, last));
    if (known.length === 0 && issuers.length === 0) end('incomplete');
    if (certificates.length < maxDepth) for (const issuer of issuers) follow([...certificates, issuer]);
  };
  follow([leaf]);
  return paths;
}

/** Whether one has signed another. Keys of hostile certificates need not be keys. */
function issuing(): (authority: X509Certificate, certificate: X509Certificate) => boolean {
  let left = maxVerifications;
  return (authority, certificate) => {
    const isNamed = authority === certificate ? namesItself(certificate) : certificate.checkIssued(authority);
    if (!isNamed || left === 0) return false;
    left -= 1;
    try {
      return certificate.verify(authority.publicKey);
    } catch {
      return false;
    }
  };
}

export const isAmong = (authorities: readonly X509Certificate[], { fingerprint256 }: X509Certificate): boolean =>
  authorities.some((known) => known.fingerprint256 === fingerprint256);
