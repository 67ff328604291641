import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../support/browsers.ts';
import { httpTarget, openFor } from '../workflows/probe/support.ts';
import { testTalkativePages } from './talkative-pages.ts';

const browsers = testBrowsers();
const pages = suite('a page that says too much');

pages.after(() => browsers.close());

/** Of the ways to say something those that cost most; `npm run test:long` visits all. */
testTalkativePages(pages, browsers, ['what it says in place of the agent', 'thousands of frames']);

pages('is read as it is, whatever its script has replaced', async () => {
  const target = await httpTarget((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<title>real</title><script>
      document.cookie = 'kept=yes'; localStorage.setItem('name', 'value'); localStorage.setItem('__proto__', 'odd');
      Object.defineProperty(document, 'cookie', { get: () => 'forged' });
      Object.defineProperty(window, 'localStorage', { get: () => ({ forged: 'yes' }) });
      Object.entries = () => [['forged', 'yes']]</script>`),
  );
  const probes = openFor(target.url, { browsers });
  try {
    const { scriptCookies, localStorage } = await probes.browser.visit({ url: `${target.url}/` });
    assert.is(scriptCookies, 'kept=yes');
    assert.equal(Object.entries(localStorage).sort(), [
      ['__proto__', 'odd'],
      ['name', 'value'],
    ]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

pages.run();
