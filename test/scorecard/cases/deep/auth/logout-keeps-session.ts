import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startPortal } from '../../../sites/portal.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'Express shop that only takes the cookie away',
    start: (variant) => startSessionShop({ keepsSession: variant === 'vulnerable' }),
  },
  {
    name: 'Django-like site whose logout forgets the row of the session',
    start: (variant) => startClinic({ forgetsLogout: variant === 'vulnerable' }),
  },
  {
    name: 'PHP-like portal with a link for logging out',
    start: (variant) => startPortal({ keepsSession: variant === 'vulnerable' }),
  },
];
