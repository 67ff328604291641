import { sessionReadableByScript } from '../../workflows/checks/cookies/session-readable-by-script.check.ts';
import { keeper, mirror, spa } from '../fixtures/token-app.ts';
import { asMarkup, byPage, testTokenChains, viaDom } from '../workflows/chains/token-chains.ts';

testTokenChains('the chain from a link to a stored token, on further apps', {
  'a page makes markup of its query, and keeps JSON at a login by script': {
    design: {
      ...spa,
      show: "out.innerHTML = '<b>' + (new URLSearchParams(location.search).get('note') ?? '') + '</b>'",
    },
    checks: byPage,
    ways: [viaDom],
  },
  'a page makes markup of its fragment, and keeps the session for the tab': {
    design: { ...mirror, show: asMarkup },
    checks: byPage,
    ways: [viaDom],
  },
  'script of the page takes a readable session as well': {
    design: { ...keeper, show: asMarkup, attributes: 'Path=/' },
    checks: [...byPage, sessionReadableByScript],
    ways: ['dom-xss > session-readable-by-script > steal-session', viaDom],
  },
  'the token is kept in a variable': {
    design: { ...keeper, show: asMarkup, script: 'window.kept = await token()' },
    checks: byPage,
    ways: [],
  },
  'the token is worth nothing without the cookie': {
    design: { ...keeper, show: asMarkup, api: 'both' },
    checks: byPage,
    ways: [],
  },
}).run();
