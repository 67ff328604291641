import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'X-Content-Type-Options';

export const cases = headerCases([
  pairOf(name, undefined, 'nosniff'),
  pairOf(name, 'sniff', 'NoSniff'),
  pairOf(name, '"nosniff"', 'nosniff, nosniff'),
]);
