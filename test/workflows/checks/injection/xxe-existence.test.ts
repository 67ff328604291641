import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { xxeExistence } from '../../../../workflows/checks/injection/xxe-existence.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { blindDocuments } from '../../../scorecard/sites/blind-documents.ts';
import { firstRows } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { places, runOn } from '../harness.ts';

const test = suite('injection.xxe-existence');

for (const [what, start] of firstRows(Object.entries(blindDocuments), isHere('python3') ? 1 : 0))
  test(`a ${what} is found by what it says of missing files, and not where documents name nothing`, async () => {
    const site = await start('vulnerable');
    const found = await runOn(site.url, xxeExistence);
    await site.close();
    assert.is(places(found).length, 1, found.outcome.reason);
    const patched = await start('patched');
    const clean = await runOn(patched.url, xxeExistence);
    await patched.close();
    assert.equal([clean.outcome.kind, places(clean)], ['clean', []], clean.outcome.reason);
  });

for (const [what, isRefused] of Object.entries({
  'refuses names of well-known files': (xml: string) => /passwd|hosts/.test(xml),
  'refuses documents with a type': (xml: string) => /<!DOCTYPE/.test(xml),
  'refuses long documents': (xml: string) => xml.length > 150,
}))
  test(`a page that ${what} is clean`, async () => {
    const site = await startSite(({ path, query }) => {
      if (path === '/') return html('<a href="/read?xml=%3Ca%3Eb%3C%2Fa%3E">Read</a>');
      return isRefused(query.get('xml') ?? '') ? html('<p>Not taken</p>', 400) : html('<p>Thank you</p>');
    });
    const found = await runOn(site.url, xxeExistence);
    await site.close();
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

test.run();
