import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Permissions-Policy';

export const cases = headerCases([
  pairOf(name, undefined, 'camera=(), microphone=(), geolocation=()'),
  // A name that browsers do not know, and the one of before the standard.
  {
    vulnerable: { headers: { 'X-Permissions-Policy': 'camera=()' } },
    patched: { headers: { 'Feature-Policy': "camera 'none'" } },
  },
  pairOf(name, undefined, 'geolocation=(self)'),
]);
