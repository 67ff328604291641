import type { ScoreCase } from '../../../case.ts';
import { byRoot, inJava, inNode } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  inNode('site whose own order puts RSA key exchange first', (variant) => ({
    ...byRoot.rsa,
    maxVersion: 'TLSv1.2',
    honorCipherOrder: true,
    ciphers: variant === 'vulnerable' ? 'kRSA+AESGCM:ECDHE+AESGCM' : 'ECDHE+AESGCM:kRSA+AESGCM',
  })),
  inJava(
    'Java server without ephemeral keys',
    { protocols: ['TLSv1.2'], suites: ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_CBC_SHA'] },
    { protocols: ['TLSv1.2'], suites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_CBC_SHA'] },
  ),
  inNode('site that a proxy is to read along with', (variant) => ({
    ...byRoot.rsa,
    ...(variant === 'vulnerable' ? { maxVersion: 'TLSv1.2', ciphers: 'kRSA+AES' } : {}),
  })),
];
