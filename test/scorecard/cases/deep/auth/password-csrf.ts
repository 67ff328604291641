import type { ScoreCase } from '../../../case.ts';
import { startPasswordSite } from '../../../sites/password-site.ts';

export const cases: ScoreCase[] = [
  {
    name: 'club whose form for a new password has no token',
    start: (variant) =>
      startPasswordSite({ method: 'post', attributes: 'Path=/; HttpOnly', hasToken: variant === 'patched' }),
  },
  {
    name: 'club that takes a new password by GET, behind a cookie that is SameSite=Lax',
    start: (variant) =>
      startPasswordSite({
        method: variant === 'vulnerable' ? 'get' : 'post',
        attributes: 'Path=/; HttpOnly; SameSite=Lax',
      }),
  },
  {
    name: 'club whose next page says that the password was changed, and that could ask for the one before',
    start: (variant) =>
      startPasswordSite({
        method: 'post',
        attributes: 'Path=/; Secure; SameSite=None',
        leadsOn: true,
        asksForOld: variant === 'patched',
      }),
  },
];
