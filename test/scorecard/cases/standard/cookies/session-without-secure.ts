import { cookieCases } from '../../../sites/session-cookies.ts';

const secure = true;

export const cases = cookieCases([
  { vulnerable: { sameSite: 'lax' }, patched: { sameSite: 'lax', secure } },
  { vulnerable: {}, patched: { secure } },
  { vulnerable: { sameSite: 'strict', domain: 'northwind.shop' }, patched: { sameSite: 'strict', secure } },
]);
