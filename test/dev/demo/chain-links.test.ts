import { quickChains, testLinks } from './shop-chains.ts';

testLinks('the links of the chains of the shop', [
  ...quickChains,
  {
    goal: 'account takeover',
    links: ['injection.reflected-xss', 'cookies.session-readable-by-script', 'chains.steal-session'],
    mistakes: ['searchTermUnescaped', 'cookieReadableByScript'],
    inBrowser: true,
  },
]).run();
