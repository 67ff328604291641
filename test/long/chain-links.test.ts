import { testLinks } from '../dev/demo/shop-chains.ts';

/** Those that take a browser many pages. The others are in test/dev/demo. */
testLinks('the links of further chains of the shop', [
  {
    goal: 'account takeover',
    links: ['injection.reflected-xss', 'cookies.session-readable-by-script', 'chains.steal-session'],
    mistakes: ['searchTermUnescaped', 'cookieReadableByScript'],
    inBrowser: true,
  },
  {
    goal: 'account takeover',
    links: ['client.dom-xss', 'cookies.session-readable-by-script', 'chains.steal-session'],
    mistakes: ['fragmentAsMarkup', 'cookieReadableByScript'],
    inBrowser: true,
  },
  {
    goal: 'account takeover',
    links: ['client.dom-xss', 'client.token-in-storage', 'chains.steal-token'],
    mistakes: ['fragmentAsMarkup', 'tokenInStorage', 'inlineScriptsAllowed'],
    inBrowser: true,
  },
  {
    goal: 'account takeover',
    links: ['injection.reflected-xss', 'client.token-in-storage', 'chains.steal-token'],
    mistakes: ['searchTermUnescaped', 'tokenInStorage'],
    inBrowser: true,
  },
  {
    goal: "read(other user's data)",
    links: ['cors.reflected-origin-with-credentials', 'cookies.session-sent-across-sites', 'chains.cross-origin-read'],
    mistakes: ['anyOriginReadsAccount', 'partnerCookieAcrossSites'],
    inBrowser: true,
  },
]).run();
