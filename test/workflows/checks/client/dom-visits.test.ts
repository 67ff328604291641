import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visitsOf } from '../../../../workflows/checks/client/dom-visits.ts';
import type { ScriptedPage } from '../../../../workflows/checks/client/scripted-pages.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('visits of pages with script');

/** It decodes base64, splits a route in the fragment, and reads messages and JSON. */
const layout = `const part = location.hash.split('?')[1];
  const q = new URLSearchParams(location.search).get('q');
  addEventListener('message', (event) => { document.body.innerHTML = JSON.parse(event.data).text });
  document.body.innerHTML = atob(q) + '#!' + part;`;

async function placesOf(page: Omit<ScriptedPage, 'url' | 'scripts'>): Promise<string[]> {
  const site = await startSite(({ path }) => (path === '/' ? html('<p>Shop</p>') : undefined));
  const audit = await openAudit(site.url);
  try {
    const { visits } = await visitsOf(audit.context, { url: `${site.url}/`, scripts: [layout], ...page });
    return visits.flatMap(({ words }) => [...words.values()].map((entrance) => entrance.in));
  } finally {
    await audit.close();
    await site.close();
  }
}

test('have a value as few scripts want it on the pages where their scripts are new', async () => {
  const all = await placesOf({});
  assert.ok(['query', 'fragment', 'base64', 'message'].every((place) => all.some((each) => each === place)));
  const known = await placesOf({ anew: [], newNames: [] });
  assert.equal([...new Set(known)].toSorted(), ['fragment', 'query']);
  assert.ok(2 * known.length < all.length, `${known.length} of ${all.length}`);
});

test('have such a value in new parameters of pages whose scripts are known', async () => {
  const places = await placesOf({ anew: [], newNames: ['q'] });
  assert.ok(places.includes('base64'));
  assert.not.ok(places.includes('message'));
});

test.run();
