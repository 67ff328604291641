import { suite } from 'uvu';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { testBrowsers } from '../support/browsers.ts';
import { safe, vulnerable } from '../workflows/checks/client/dom-xss-pages.ts';
import { type Results, resultsOf, testPages } from '../workflows/checks/client/dom-xss-results.ts';

const names = [...Object.keys(vulnerable), ...Object.keys(safe)];
const test = suite<{ browsers: BrowserPool; results: Results }>('client.dom-xss, on pages of all kinds');
test.before(async (context) => {
  context.browsers = testBrowsers();
  context.results = await resultsOf(context.browsers, names);
});
test.after(({ browsers }) => browsers.close());
testPages(test, names);
test.run();
