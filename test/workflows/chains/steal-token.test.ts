import { tokenInStorage } from '../../../workflows/checks/client/token-in-storage.check.ts';
import { reflectedXss } from '../../../workflows/checks/injection/reflected-xss.check.ts';
import { escapeHtml } from '../../fixtures/site.ts';
import { keeper } from '../../fixtures/token-app.ts';
import { usualRows } from '../../support/further.ts';
import { asMarkup, byPage, type TokenCase, testTokenChains, viaDom } from './token-chains.ts';

/** Each takes a browser many pages: other designs of the app are in test/long. */
const cases: Record<string, TokenCase> = {
  'a page makes markup of its fragment, and keeps the token as it is': {
    design: { ...keeper, show: asMarkup },
    checks: byPage,
    ways: [viaDom],
  },
  'script comes through the server': {
    design: keeper,
    checks: [reflectedXss, tokenInStorage],
    show: (term) => `<p>${term}</p>`,
    ways: ['reflected-xss > token-in-storage > steal-token'],
  },
  'the fragment is put in as text': {
    design: { ...keeper, show: asMarkup.replace('innerHTML', 'textContent') },
    checks: [...byPage, reflectedXss],
    show: (term) => `<p>${escapeHtml(term)}</p>`,
    ways: [],
  },
};

testTokenChains(
  'the chain from a link to a stored token',
  Object.fromEntries(usualRows(cases, ['script comes through the server'])),
).run();
