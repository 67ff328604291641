import type { ScoreCase } from '../../../case.ts';
import { inJava, scripted } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  inJava(
    'Java server of 2013, which put RC4 first because of BEAST',
    { protocols: ['TLSv1.2'], suites: ['SSL_RSA_WITH_RC4_128_SHA', 'TLS_RSA_WITH_AES_128_CBC_SHA'] },
    { protocols: ['TLSv1.2'], suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'] },
  ),
  inJava(
    'Java server that has RC4 with elliptic curves at the end of its list',
    {
      protocols: ['TLSv1.2', 'TLSv1.3'],
      suites: ['TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_RC4_128_SHA'],
    },
    { protocols: ['TLSv1.2', 'TLSv1.3'], suites: ['TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] },
  ),
  scripted('appliance of TLS 1.0', { version: 0x0301, suite: 0x0004 }, { version: 0x0301, suite: 0x002f }),
];
