import { type Assertion, claim } from '../../model/experiment.ts';
import type { CertificateInfo } from '../../model/tls.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

type WeakKey = TlsServer & { keyBits?: number; hasWeakSignature: boolean };

/** Key types whose strength is that of factoring or of discrete logarithms in a field. */
const fieldKeys = 'rsa|rsa-pss|dsa';
/** Source: NIST SP 800-57 Part 1 Rev. 5 §5.6.1.1 (112 bits of security), CA/Browser Forum Baseline Requirements §6.1.5. */
const leastBits = 2_048;
/** Factored in days on rented machines. Source: Valenta et al., "Factoring as a Service" (2016). */
const brokenBits = 768;
const hopeless = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N';

/** Names by OpenSSL, for instance "sha1WithRSAEncryption" and "ecdsa-with-SHA1". */
const weakHash = '(?:md[245]|sha-?1)(?:with|$)';

/** A certificate has a key that is too short, or its chain a signature over a broken hash. Source: NIST SP 800-131A Rev. 2, RFC 9155. */
export const certificateWeakKey = defineCheck<WeakKey>({
  id: 'tls.certificate-weak-key',
  title: 'Weak TLS certificate key or signature',
  cwe: 326,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers(context, ({ handshake: { signatures }, leaf }) => {
      const keyBits = isShort(leaf) ? leaf.keyBits : undefined;
      const [own = '', ...above] = signatures;
      const intermediate = above.find(isWeak);
      const faults = [
        keyBits === undefined ? [] : `has a key of ${keyBits} bits (${leaf.keyType})`,
        isWeak(own) ? `is signed with ${own}` : [],
        intermediate === undefined ? [] : `relies on an intermediate certificate that is signed with ${intermediate}`,
      ].flat();
      if (faults.length === 0) return undefined;
      return {
        detail: `The certificate for ${leaf.subject} ${faults.join(' and ')}.`,
        ...(keyBits !== undefined && keyBits <= brokenBits ? { cvss: hopeless } : {}),
        data: { ...(keyBits === undefined ? {} : { keyBits }), hasWeakSignature: signatures.some(isWeak) },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { keyBits, hasWeakSignature } = data;
    const key = keyBits === undefined ? [] : keyClaims;
    const hash = hasWeakSignature ? [claim('tls:signatures', 'matches', `(?im)${weakHash}`)] : [];
    return handshakeExperiment(
      data,
      {
        note: 'The certificate that the server presents, or a signature above it, is weaker than what is held to be safe.',
        expect: [...key, ...hash],
      },
      {
        note: `A certificate that is signed over SHA-256${keyBits === undefined ? '' : `, with an RSA key of ${leastBits} bits`}, is not called weak.`,
        expect: keyBits === undefined ? hash : key,
        reference: keyBits === undefined ? 'ec' : 'rsa',
      },
    );
  },

  explain: {
    description:
      'The certificate has an RSA or DSA key of less than 2,048 bits, or it, or an intermediate certificate on the way to a known authority, is signed over MD5 or SHA-1. Short keys can be computed from the certificate alone, with an effort that falls every year; for the broken hashes a second certificate with the same signature can be made.',
    impact:
      'Somebody who has the private key can pose as the server to every visitor, and read recorded connections that were made without forward secrecy. Keys of 768 bits and less can be had with rented machines; 1,024 bits are within reach of well-funded attackers. Current clients refuse such certificates.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'The certificate has an RSA or DSA key under 2,048 bits, or its chain a signature over MD5 or SHA-1; a sound certificate is not called weak. Shows a configuration; no key was computed.',
    remedy:
      'Make a new key and have it certified: ECDSA P-256 is short, fast and known everywhere, RSA with 2,048 bits or more suits old clients. `openssl ecparam -genkey -name prime256v1 -noout -out key.pem` and `openssl req -new -sha256 -key key.pem -out request.csr`, or leave it to ACME: `certbot renew --force-renewal --key-type ecdsa`. Public authorities have not issued such certificates since 2016, so look for a private authority or a device with a certificate from its factory. Destroy the old key, and revoke its certificate. An intermediate is replaced by its newer edition, which the authority publishes; the file of the chain must hold that one alone.',
    references: [
      'NIST SP 800-131A Rev. 2: https://csrc.nist.gov/pubs/sp/800/131/a/r2/final',
      'RFC 9155: https://www.rfc-editor.org/rfc/rfc9155',
      'CWE-326: https://cwe.mitre.org/data/definitions/326.html',
      'SHAttered: https://shattered.io',
    ],
  },
});

/** A key that cannot be read has 0 bits: nothing is known of it. */
const isShort = ({ keyType, keyBits }: CertificateInfo): boolean =>
  fieldKeys.split('|').includes(keyType) && keyBits > 0 && keyBits < leastBits;

const keyClaims: Assertion[] = [
  claim('tls:certificate.keyType', 'one-of', fieldKeys),
  claim('tls:certificate.keyBits', 'less-than', String(leastBits), `The key has less than ${leastBits} bits.`),
];

/** A self-signed certificate has no signature that anybody checks. */
const isWeak = (signature: string): boolean => new RegExp(weakHash, 'i').test(signature);
