import type { ScoreCase } from '../../../case.ts';
import { scripted } from '../../../sites/tls.ts';

const suite = 0x002f;

export const cases: ScoreCase[] = [
  scripted(
    'load balancer of TLS 1.2 from before RFC 5746',
    { version: 0x0303, suite, isRenegotiationSecure: false },
    { version: 0x0303, suite },
  ),
  scripted(
    'appliance of TLS 1.0 from before RFC 5746',
    { version: 0x0301, suite: 0x0005, isRenegotiationSecure: false },
    { version: 0x0301, suite: 0x0005 },
  ),
  scripted(
    'appliance of SSL 3.0 from before RFC 5746',
    { version: 0x0300, suite: 0x000a, isRenegotiationSecure: false },
    { version: 0x0300, suite: 0x000a },
  ),
];
