import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonp } from '../../../../workflows/checks/cors/jsonp.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { apiShop, type DataDesign, dataUsers, startDataSite } from '../../../fixtures/data-site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('cors.jsonp');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const closed: DataDesign = { ...apiShop, allow: () => ({}) };
/** Gives its data to the function that a parameter names. */
const calling = (parameter: string, more: Partial<DataDesign> = {}): DataDesign => ({
  ...closed,
  path: '/api/me.js',
  callback: parameter,
  ...more,
});
const lax = { ...apiShop.cookie, attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' };

async function result(browsers: BrowserPool, design: DataDesign) {
  const site = await startDataSite(design);
  try {
    return await runOn(site.url, jsonp as Parameters<typeof runOn>[1], { browsers, identities: dataUsers(design) });
  } finally {
    await site.close();
  }
}

test('data in a call are read by a page of another site', async ({ browsers }) => {
  const found = await result(browsers, calling('jsonp'));
  assert.equal(places(found).length, 1, found.outcome.reason);
  assert.is(found.findings[0]?.cvss?.score, 6.5);
  assert.not.match(stored(found), /northwind|Harbour|correct-horse/);
});
further(test)(
  'and of a parameter that no page names by a sibling, where the session stays in the site',
  async ({ browsers }) => {
    const found = await result(browsers, calling('callback', { path: '/api/me', cookie: lax }));
    assert.is(found.findings[0]?.cvss?.score, 5.3, found.outcome.reason);
  },
);
const clean: [what: string, design: DataDesign][] = [
  ['JSON without a call', closed],
  ['what everybody is given in a call', calling('jsonp', { data: () => ({ street: '47 Harbour Street', rate: 11 }) })],
  ['data that a header opens', calling('jsonp', { login: 'bearer' })],
];
for (const [what, design] of firstRows(clean, 1))
  test(`${what}: nothing is found`, async ({ browsers }) => {
    assert.equal((await result(browsers, design)).findings, []);
  });

test.run();
