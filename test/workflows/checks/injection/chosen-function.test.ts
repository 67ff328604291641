import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chosenFunction } from '../../../../workflows/checks/injection/chosen-function.check.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { functionSites } from '../../../scorecard/sites/function-sites.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('injection.chosen-function');

for (const [what, { place, start }] of firstRows(Object.entries(functionSites), 1))
  test(`a ${what} is found, and not where it takes what it offers`, async () => {
    const site = await start('vulnerable');
    const found = await runOn(site.url, chosenFunction, site.options);
    await site.close();
    assert.equal(places(found), [place], found.outcome.reason);
    const patched = await start('patched');
    const clean = await runOn(patched.url, chosenFunction, patched.options);
    await patched.close();
    assert.equal([clean.outcome.kind, places(clean)], ['clean', []], clean.outcome.reason);
  });

test('a page that repeats what it is sent, or that shows the version of PHP anyway, is clean', async () => {
  const site = await startSite(({ query }) =>
    html(
      `<a href="/?fn=upper&amp;text=hello">Upper</a><p>PHP Version 8.2 ${escapeHtml([...query.values()].join(' '))}</p>`,
    ),
  );
  const found = await runOn(site.url, chosenFunction);
  await site.close();
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test('a site without names of functions is not asked', async () => {
  const site = await startSite(() => html('<a href="/?page=2">Next</a>'));
  const found = await runOn(site.url, chosenFunction);
  await site.close();
  assert.is(found.outcome.kind, 'not-applicable');
});

test.run();
