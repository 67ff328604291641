import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startPortal } from '../../../sites/portal.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'Express shop that writes the user into the session that is there',
    start: (variant) => startSessionShop({ keepsIdentifier: variant === 'vulnerable' }),
  },
  {
    name: 'site that takes over whatever identifier a browser comes with',
    start: (variant) => startClinic({ adoptsIdentifier: variant === 'vulnerable' }),
  },
  {
    name: 'PHP-like portal with a log in by JSON',
    start: (variant) => startPortal({ keepsIdentifier: variant === 'vulnerable' }),
  },
];
