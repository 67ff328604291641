import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { templateOptions } from '../../../../workflows/checks/injection/template-options.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { renderingSites } from '../../../scorecard/sites/rendering-sites.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite('injection.template-options');
const browsers = testBrowsers();
test.after(() => browsers.close());

for (const [what, { place, start }] of firstRows(Object.entries(renderingSites), 1))
  test(`a ${what} is found, and not where it names what it shows`, async () => {
    const site = await start('vulnerable');
    const found = await runOn(site.url, templateOptions, { browsers });
    await site.close();
    assert.equal(places(found), [place], found.outcome.reason);
    const patched = await start('patched');
    const clean = await runOn(patched.url, templateOptions, { browsers });
    await patched.close();
    assert.equal([clean.outcome.kind, places(clean)], ['clean', []], clean.outcome.reason);
  });

test('an interface that gives a list with such members, whatever it is sent, is clean', async () => {
  const site = await startSite(({ path }) =>
    path === '/' ? html('<a href="/packages?name=lamp">Packages</a>') : json({ name: 'lamp', dependencies: {} }),
  );
  const found = await runOn(site.url, templateOptions);
  await site.close();
  assert.equal(places(found), [], found.outcome.reason);
});

test('a site in another language is not asked', async () => {
  const site = await startSite(() => ({
    ...html('<a href="/?page=2">Next</a>'),
    headers: { 'content-type': 'text/html', 'x-powered-by': 'PHP/8.2' },
  }));
  const found = await runOn(site.url, templateOptions);
  await site.close();
  assert.is(found.outcome.kind, 'not-applicable');
});

test.run();
