import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, html, startSite } from '../../../fixtures/site.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { firstRows, further } from '../../../support/further.ts';
import { blockPages, ordinary } from '../http/block-pages.ts';
import { codeOf, openFor } from '../support.ts';

const browsers = testBrowsers();
const blocks = suite('firewalls before a page in the browser');

blocks.after(() => browsers.close());

/** A site with these answers at "/0", "/1", …, and instruments for it. */
async function at(
  answers: readonly Answer[],
  work: (probes: ReturnType<typeof openFor>, url: string) => Promise<void>,
): Promise<void> {
  const site = await startSite(({ path }) => answers[Number(path.slice(1))] ?? html('none', 404));
  const probes = openFor(site.url, { browsers });
  try {
    await work(probes, site.url);
  } finally {
    await probes.close();
    await site.close();
  }
}

const some = firstRows(blockPages, 3);

blocks('a document that is a block page is none of the site, and the coverage will say whose it is', () =>
  at(
    some.map(([, answer]) => answer),
    async ({ browser, obstruction }, url) => {
      const visits = some.map((_, index) => codeOf(browser.visit({ url: `${url}/${index}` })));
      assert.equal(await Promise.all(visits), Array(some.length).fill('blocked'));
      assert.equal(new Set(obstruction().by), new Set(some.map(([name]) => name)));
      assert.is(obstruction().blocked, some.length);
    },
  ),
);

further(blocks)('a document that only looks like one is a page of the site', () =>
  at(
    ordinary.map(([, answer]) => answer),
    async ({ browser, obstruction }, url) => {
      const visits = ordinary.map((_, index) => browser.visit({ url: `${url}/${index}` }));
      const statuses = (await Promise.all(visits)).map(({ status }) => status);
      assert.equal(
        statuses,
        ordinary.map(([, { status }]) => status),
      );
      assert.is(obstruction().blocked, 0);
    },
  ),
);

further(blocks)('the page that counts is the one that redirects, script and clicks end on', () =>
  at(
    [
      { status: 302, headers: { location: '/3' } },
      html('<script>location = "/3"</script>'),
      html('<button id="go" onclick="location = \'/3\'">go</button>'),
      { status: 403, headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }, body: 'wait' },
      { status: 429, headers: { 'content-type': 'text/html' }, body: 'later' },
    ],
    async ({ browser, obstruction }, url) => {
      const visits = [0, 1, 2, 4].map((path) => codeOf(browser.visit({ url: `${url}/${path}`, clicks: ['#go'] })));
      assert.equal(await Promise.all(visits), Array(4).fill('blocked'));
      assert.equal(obstruction().by.toSorted(), ['Cloudflare', 'a limit on requests']);
    },
  ),
);

blocks('a firewall that keeps a part of a page changes nothing of the page', () =>
  at(
    [
      html('<p id="here"></p><img src="/1"><iframe src="/1"></iframe>'),
      { status: 403, headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }, body: 'wait' },
    ],
    async ({ browser, obstruction }, url) => {
      assert.match((await browser.visit({ url: `${url}/0` })).html, 'id="here"');
      assert.is(obstruction().blocked, 0);
    },
  ),
);

blocks.run();
