import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startNoticeClub } from '../../../sites/notice-club.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'shop that skips the look at its tokens',
    start: (variant) => startSessionShop({ takesAnyForm: variant === 'vulnerable', cookie: { sameSite: 'none' } }),
  },
  {
    name: 'Django-like site whose views are exempt, with a cookie without SameSite',
    start: (variant) => startClinic({ exemptsForms: variant === 'vulnerable', attributes: 'Path=/; HttpOnly' }),
  },
  {
    name: 'site without tokens that its cookie alone could keep safe',
    start: (variant) =>
      startSessionShop({ takesAnyForm: true, cookie: { sameSite: variant === 'vulnerable' ? 'none' : 'lax' } }),
  },
  {
    name: 'club whose members add notices, which nothing takes back',
    start: (variant) => startNoticeClub({ attributes: 'Path=/; HttpOnly', hasToken: variant === 'patched' }),
  },
];
