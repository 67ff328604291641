import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Strict-Transport-Security';

export const cases = headerCases([
  pairOf(name, 'max-age=300', 'max-age=31536000'),
  pairOf(name, 'max-age=86400; includeSubDomains', 'max-age=15768000'),
  pairOf(name, 'includeSubDomains; MAX-AGE="2592000"', 'includeSubDomains; MAX-AGE="63072000"; preload'),
]);
