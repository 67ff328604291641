import { modp2Pem } from '../../../../fixtures/tls/dh-params.ts';
import type { ScoreCase } from '../../../case.ts';
import { byRoot, inJava, inNode } from '../../../sites/tls.ts';

const dhe = { protocols: ['TLSv1.2'], suites: ['TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'] };

export const cases: ScoreCase[] = [
  inJava('Java server with the length of its first years', dhe, dhe, { vulnerable: 1_024, patched: 2_048 }),
  inJava(
    'Java server of TLS 1.0 with 1024 bits',
    { protocols: ['TLSv1'], suites: ['TLS_DHE_RSA_WITH_AES_128_CBC_SHA'] },
    { protocols: ['TLSv1'], suites: ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'] },
    { vulnerable: 1_024, patched: 1_024 },
  ),
  inNode('site with a file of parameters that is older than Logjam', (variant) => ({
    ...byRoot.rsa,
    ciphers: 'ECDHE+AESGCM:DHE+AESGCM:@SECLEVEL=0',
    dhparam: variant === 'vulnerable' ? modp2Pem() : 'auto',
  })),
];
