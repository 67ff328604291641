import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'Express shop with httpOnly switched off',
    start: (variant) => startSessionShop({ cookie: { httpOnly: variant === 'patched' } }),
  },
  {
    name: 'Django-like site with SESSION_COOKIE_HTTPONLY = False beside a token that script may read',
    start: (variant) => startClinic({ attributes: `Path=/; SameSite=Lax${variant === 'patched' ? '; HttpOnly' : ''}` }),
  },
  {
    name: 'API that puts its token into a cookie for the front end',
    start: (variant) =>
      startDesk({
        carrier: 'cookie',
        attributes: `Path=/; SameSite=Strict${variant === 'patched' ? '; HttpOnly' : ''}`,
      }),
  },
];
