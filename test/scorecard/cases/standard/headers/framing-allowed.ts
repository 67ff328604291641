import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const options = 'X-Frame-Options';
const policy = 'Content-Security-Policy';

export const cases = headerCases([
  pairOf(options, undefined, 'SAMEORIGIN'),
  // No browser heeds it any more.
  pairOf(options, 'ALLOW-FROM https://partner.example', 'DENY'),
  pairOf(policy, "default-src 'self'", "default-src 'self'; frame-ancestors 'none'"),
]);
