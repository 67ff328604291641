import type { ScoreCase } from '../../../case.ts';
import { inJava, scripted } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  inJava(
    'Java server that keeps triple DES for Windows XP',
    { protocols: ['TLSv1.2'], suites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'SSL_RSA_WITH_3DES_EDE_CBC_SHA'] },
    { protocols: ['TLSv1.2'], suites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] },
  ),
  inJava(
    'Java server of TLS 1.0 with triple DES and ephemeral keys',
    { protocols: ['TLSv1'], suites: ['SSL_DHE_RSA_WITH_3DES_EDE_CBC_SHA', 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA'] },
    { protocols: ['TLSv1'], suites: ['TLS_DHE_RSA_WITH_AES_128_CBC_SHA'] },
  ),
  scripted('appliance with IDEA', { version: 0x0302, suite: 0x0007 }, { version: 0x0302, suite: 0x0035 }),
];
