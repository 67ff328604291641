import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'shop that hides the link to its office',
    start: (variant) => startSessionShop({ opensOffice: variant === 'vulnerable' }, true),
  },
  {
    name: 'Django-like site with pages for its staff',
    start: (variant) => startClinic({ opensStaff: variant === 'vulnerable' }, true),
  },
  {
    name: 'JSON API whose bundle names the routes of administrators to everybody',
    start: (variant) => startDesk({ opensAdmin: variant === 'vulnerable' }, true),
  },
];
