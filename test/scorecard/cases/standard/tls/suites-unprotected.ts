import type { ScoreCase } from '../../../case.ts';
import { inJava, scripted, withCiphers } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  withCiphers('site whose list of ciphers begins with ALL', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0', 'ALL:!aNULL:!eNULL'),
  inJava(
    'Java server that was opened for an old client',
    {
      protocols: ['TLSv1.2'],
      suites: [
        'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
        'SSL_RSA_EXPORT_WITH_RC4_40_MD5',
        'TLS_DH_anon_WITH_AES_128_GCM_SHA256',
      ],
    },
    { protocols: ['TLSv1.2'], suites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] },
  ),
  scripted('appliance that speaks DES', { version: 0x0303, suite: 0x0009 }, { version: 0x0303, suite: 0x009c }),
];
