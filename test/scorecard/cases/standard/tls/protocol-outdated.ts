import type { ScoreCase } from '../../../case.ts';
import { byRoot, inJava, inNode, scripted } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  inNode('site that is kept open for old phones', (variant) => ({
    ...byRoot.ec,
    ciphers: 'ECDHE:!eNULL:@SECLEVEL=0',
    minVersion: variant === 'vulnerable' ? 'TLSv1' : 'TLSv1.2',
  })),
  inJava(
    'Java server of SSL 3.0 and TLS 1.2',
    { protocols: ['SSLv3', 'TLSv1.2'], suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'] },
    { protocols: ['TLSv1.2'], suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'] },
  ),
  scripted('appliance of TLS 1.1', { version: 0x0302, suite: 0x002f }, { version: 0x0303, suite: 0x002f }),
];
