import { testLinks } from './shop-chains.ts';

/** They take two customers. */
testLinks('the links of the chains of the shop that begin with what it gives away', [
  {
    goal: "read(other user's data)",
    links: ['exposure.source-map', 'chains.hidden-route'],
    mistakes: ['sourceMapServed', 'invoicesOfOthersReadable'],
    ofTwo: true,
  },
  {
    goal: "read(other user's data)",
    links: ['exposure.openapi-public', 'chains.hidden-route'],
    mistakes: ['apiDescriptionForAll', 'invoicesOfOthersReadable'],
    ofTwo: true,
  },
]).run();
