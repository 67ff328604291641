import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Strict-Transport-Security';
const year = 'max-age=31536000; includeSubDomains';

export const cases = headerCases([
  pairOf(name, undefined, year),
  pairOf(name, 'max-age=0', year),
  pairOf(name, 'includeSubDomains; preload', 'max-age="63072000"; preload'),
]);
