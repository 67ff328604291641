import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Referrer-Policy';

export const cases = headerCases([
  pairOf(name, undefined, 'strict-origin-when-cross-origin'),
  pairOf(name, 'unsafe-url', 'no-referrer'),
  {
    vulnerable: { headers: { [name]: 'same-origin' }, markup: '<meta name="referrer" content="always">' },
    patched: { headers: { [name]: 'same-origin' }, markup: '<meta name="referrer" content="never">' },
  },
]);
