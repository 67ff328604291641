import { cookieCases } from '../../../sites/session-cookies.ts';

const secure = true;

export const cases = cookieCases([
  { vulnerable: { secure, sameSite: 'none' }, patched: { secure, sameSite: 'lax' } },
  { vulnerable: { secure }, patched: { secure, sameSite: 'strict' } },
  { vulnerable: {}, patched: { sameSite: 'lax' } },
]);
