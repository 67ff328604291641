import { makeAuthority, makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { byRoot, host, inNode, root } from '../../../sites/tls.ts';

const ciphers = 'DEFAULT:@SECLEVEL=0';
const sha1 = await makeAuthority('Old Root', { key: rsa(2_048, 'SHA-1') });

export const cases: ScoreCase[] = [
  inNode('certificate of 1024 bits', async (variant) => ({
    ...(variant === 'vulnerable'
      ? await makeCertificate({ commonName: host, issuer: root, key: rsa(1_024) })
      : byRoot.rsa),
    ciphers,
  })),
  inNode('certificate that is signed by SHA-1', async (variant) => ({
    ...(variant === 'vulnerable'
      ? await makeCertificate({ commonName: host, issuer: sha1, key: rsa(2_048) })
      : byRoot.rsa),
    ciphers,
  })),
  inNode('server of TLS 1.2 with a key of 768 bits', async (variant) => ({
    ...(variant === 'vulnerable' ? await makeCertificate({ commonName: host, key: rsa(768) }) : byRoot.ec),
    ciphers,
    maxVersion: 'TLSv1.2',
  })),
];
