import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { type Labels, nameBytes } from '../wire.ts';
import type { DelegationSigner, DnsKey } from './records.ts';

type Algorithm = { hash: string | null; publicKey(key: Buffer): JsonWebKey };

/**
 * Algorithms that are verified here, by number; a zone signed with others alone counts as one that is not signed
 * (RFC 4035 §5.2), and so do the ones with SHA-1, which were given up. Source: RFC 5702, RFC 6605, RFC 8080, RFC 9905.
 */
const algorithms = new Map<number, Algorithm>([
  [8, { hash: 'sha256', publicKey: rsa }],
  [10, { hash: 'sha512', publicKey: rsa }],
  [13, { hash: 'sha256', publicKey: (key) => curve('P-256', key) }],
  [14, { hash: 'sha384', publicKey: (key) => curve('P-384', key) }],
  [15, { hash: null, publicKey: (key) => edwards('Ed25519', key) }],
  [16, { hash: null, publicKey: (key) => edwards('Ed448', key) }],
]);

/** Digests of keys, by number. Source: RFC 4034 §5.1.3, RFC 4509, RFC 6605. */
const digests = new Map([
  [1, 'sha1'],
  [2, 'sha256'],
  [4, 'sha384'],
]);

export const isSupported = ({ algorithm, digestType }: DelegationSigner): boolean =>
  algorithms.has(algorithm) && digests.has(digestType);

/** SHA-1 does not count beside a better digest. Source: RFC 4509 §3. */
export function usableSigners(signers: readonly DelegationSigner[]): DelegationSigner[] {
  const supported = signers.filter(isSupported);
  const better = supported.filter(({ digestType }) => digestType !== 1);
  return better.length > 0 ? better : supported;
}

const zoneKeyFlag = 0x0100;
const revokedFlag = 0x0080;

/** Whether a key may sign records of its zone. Source: RFC 4034 §2.1.1, RFC 5011 §2.1. */
export const isZoneKey = ({ flags }: DnsKey): boolean => (flags & zoneKeyFlag) !== 0 && (flags & revokedFlag) === 0;

/** Whether the zone above vouches for this key. Source: RFC 4034 §5.1.4. */
export function isVouchedFor(zone: Labels, key: DnsKey, signer: DelegationSigner): boolean {
  const hash = digests.get(signer.digestType);
  if (hash === undefined || key.tag !== signer.keyTag || key.algorithm !== signer.algorithm) return false;
  return createHash(hash).update(nameBytes(zone)).update(key.data).digest().equals(signer.digest);
}

/** Whether a signature is that of the key. A key that cannot be read signs nothing. */
export function isSignedBy(signed: Buffer, signature: Buffer, { algorithm, key }: DnsKey): boolean {
  const known = algorithms.get(algorithm);
  if (!known) return false;
  try {
    const publicKey: KeyObject = createPublicKey({ key: known.publicKey(key), format: 'jwk' });
    return verify(known.hash, signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

/** RFC 3110 §2. */
function rsa(key: Buffer): JsonWebKey {
  const isShort = key.readUInt8(0) !== 0;
  const length = isShort ? key.readUInt8(0) : key.readUInt16BE(1);
  const start = isShort ? 1 : 3;
  return {
    kty: 'RSA',
    e: key.subarray(start, start + length).toString('base64url'),
    n: key.subarray(start + length).toString('base64url'),
  };
}

/** RFC 6605 §4. */
function curve(crv: string, key: Buffer): JsonWebKey {
  const half = key.length / 2;
  return {
    kty: 'EC',
    crv,
    x: key.subarray(0, half).toString('base64url'),
    y: key.subarray(half).toString('base64url'),
  };
}

/** RFC 8080 §3. */
function edwards(crv: string, key: Buffer): JsonWebKey {
  return { kty: 'OKP', crv, x: key.toString('base64url') };
}
