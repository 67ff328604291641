import { cookieCases } from '../../../sites/session-cookies.ts';

const kept = { secure: true, sameSite: 'lax' } as const;
const whole = 'northwind.shop';

export const cases = cookieCases([
  { vulnerable: { ...kept, domain: whole }, patched: kept },
  { vulnerable: { ...kept, domain: `.${whole}` }, patched: { ...kept, domain: `www.${whole}` } },
  { vulnerable: { ...kept, domain: whole }, patched: kept },
]);
