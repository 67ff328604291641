import type { ScoreCase } from '../../../case.ts';
import { scripted } from '../../../sites/tls.ts';

const suite = 0x002f;

export const cases: ScoreCase[] = [
  scripted('server of TLS 1.2 with zlib', { version: 0x0303, suite, compression: 1 }, { version: 0x0303, suite }),
  scripted(
    'appliance of TLS 1.0 that compresses',
    { version: 0x0301, suite, compression: 1 },
    { version: 0x0301, suite },
  ),
  scripted(
    'appliance of SSL 3.0 with RC4 that compresses',
    { version: 0x0300, suite: 0x0005, compression: 1 },
    { version: 0x0300, suite: 0x0005 },
  ),
];
