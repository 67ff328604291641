import { quickChains, testLinks } from './shop-chains.ts';

/** Those that a browser is needed for are in test/long/chain-links.test.ts. */
testLinks('the links of the chains of the shop', quickChains, ['roleFromProfile']).run();
