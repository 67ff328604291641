import { memberOf, membersSite, sound } from '../../../../fixtures/members.ts';
import type { ScoreCase } from '../../../case.ts';
import { startNamed } from '../../../sites/names.ts';
import { cookieCases } from '../../../sites/session-cookies.ts';

const kept = { secure: true, sameSite: 'lax' } as const;
const whole = 'northwind.shop';

const atLogin: ScoreCase = {
  name: 'login that sets its cookie for the domain',
  start: (variant) => {
    const forDomain = variant === 'patched' ? '' : `; Domain=${whole}`;
    const design = { ...sound, beforeLogin: 'none', attributes: `Path=/; HttpOnly${forDomain}` } as const;
    return startNamed({
      host: `www.${whole}`,
      zone: {},
      handler: membersSite(design),
      options: { identities: [memberOf(design)] },
    });
  },
};

export const cases = [
  ...cookieCases([
    { vulnerable: { ...kept, domain: whole }, patched: kept },
    { vulnerable: { ...kept, domain: `.${whole}` }, patched: { ...kept, domain: `www.${whole}` } },
    { vulnerable: { ...kept, domain: whole }, patched: kept },
  ]),
  atLogin,
];
