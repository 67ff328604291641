import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportingPartialReads } from '../../../workflows/checks/read-partly.ts';
import type { BrowserVisit } from '../../../workflows/model/browser.ts';
import type { Omitted } from '../../../workflows/model/omission.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { openAudit } from './harness.ts';

const test = suite('pages that a browser reads in part');
const browsers = testBrowsers();
test.after(() => browsers.close());

test('a page is named by its address, and one of the audit’s own by what it stands for', async () => {
  const site = await startSite(() => html('<p>Hello</p>'));
  const audit = await openAudit(site.url, { browsers });
  try {
    const { context } = audit;
    const left: Omitted[] = [];
    const visit: typeof context.browser.visit = async (asked) => {
      const seen = await context.browser.visit(asked);
      const why = asked.url.endsWith('/gone') ? { why: 'Target crashed' } : {};
      return { ...seen, unread: { ...seen.unread, parts: 1, ...why } };
    };
    const browser = { ...context.browser, visit };
    const reporting = reportingPartialReads({ ...context, browser, leave: (omitted) => void left.push(omitted) });
    const read = (asked: Pick<BrowserVisit, 'url' | 'page'>) => reporting.browser.visit(asked);
    await read({ url: `${site.url}/notes?a=1` });
    await read({ url: 'http://n0nce.invalid/', page: '<p>Ours</p>' });
    await read({ url: `${site.url}/gone` });
    assert.equal(
      left.map(({ text = '' }) => text.replace(/ was read in part.*/, '')),
      [
        `${site.url}/notes`,
        'a page that another site opens',
        `${site.url}/gone could not be read in the browser: Target crashed`,
      ],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
