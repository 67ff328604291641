import { usualRows } from '../../support/further.ts';
import { mistakesOf, quickChains, type ShopChain, testLinks } from './shop-chains.ts';

const chains: ShopChain[] = [
  ...quickChains,
  {
    goal: 'account takeover',
    links: ['injection.reflected-xss', 'cookies.session-readable-by-script', 'chains.steal-session'],
    mistakes: ['searchTermUnescaped', 'cookieReadableByScript'],
    inBrowser: true,
  },
];
const mistakes = Object.fromEntries(mistakesOf(chains).map((mistake) => [mistake, mistake]));
const mended = usualRows(mistakes, ['roleFromProfile']);

testLinks(
  'the links of the chains of the shop',
  chains,
  mended.map(([, mistake]) => mistake),
).run();
