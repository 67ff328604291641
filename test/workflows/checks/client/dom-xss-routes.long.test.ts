import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, testBrowsers } from '../harness.ts';
import { js } from './dom-xss-pages.ts';
import { result } from './dom-xss-results.ts';

const test = suite<{ browsers: BrowserPool }>('client.dom-xss in routes that script draws');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** One HTML for every address, and a module for each view that only the router loads. @param isHash keeps the routes behind "#" */
const application =
  (isHash: boolean, views: Record<string, string>): Handler =>
  ({ path }) => {
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404, headers: {}, body: '' };
    const [, view = ''] = /^\/js\/view-(\w+)\.js$/.exec(path) ?? [];
    if (views[view] !== undefined)
      return js(
        `const router = '/js/main.js'; const { useAddress } = await import(router); export default (box) => { ${views[view]} }`,
      );
    if (path === '/js/main.js') return js(router(isHash, Object.keys(views)));
    if (isHash && path !== '/') return undefined;
    return html('<title>Yard</title><nav></nav><main></main><script type="module" src="/js/main.js"></script>');
  };

const router = (isHash: boolean, views: readonly string[]): string => `
  let address;
  export const useAddress = () => address;
  const file = (view) => ${JSON.stringify(views)}.includes(view) ? '/js/view-' + view + '.js' : undefined;
  const box = document.querySelector('main');
  async function draw() {
    const { pathname, search, hash } = ${isHash ? "new URL(location.hash.slice(1) || '/start', location)" : 'location'};
    const [, name = '', item = ''] = decodeURIComponent(pathname).split('/');
    address = { search, hash, item };
    box.innerHTML = '';
    box.className = name;
    const module = file(name || 'start'); const view = module && await import(module);
    if (view) view.default(box); else box.textContent = 'There is no such page.';
  }
  document.querySelector('nav').innerHTML = '${views.map((view) => `<a href="${isHash ? '#' : ''}/${view}">${view}</a> `).join('')}';
  addEventListener('hashchange', draw);
  draw();`;

const start = "box.innerHTML = '<h1>Yard</h1><p>Planks, bricks and tiles.</p>';";

further(test)('a module that one route loads is looked at where it is loaded', async ({ browsers }) => {
  const found = await result(
    browsers,
    application(false, {
      start,
      ...{ bricks: "box.innerHTML = '<h2>Bricks</h2><ul><li>red</li></ul>';" },
      ...{ tiles: "box.innerHTML = '<h2>Tiles</h2><table><tr><td>slate</td></tr></table>';" },
      compare:
        "const { hash: h } = useAddress(); const p = new URLSearchParams(h.slice(1)); box.innerHTML = '<h3>' + (p.get('label') ?? '') + '</h3>';",
      measure:
        "const { hash: h } = useAddress(); const p = new URLSearchParams(h.slice(1)); box.append(p.get('label') ?? '');",
    }),
  );
  assert.equal(places(found), ['GET /compare label'], found.outcome.reason);
});

test('a parameter of a route behind "#" that the application leads to is tried', async ({ browsers }) => {
  const looksFor = (put: string) =>
    `const { search: s } = useAddress(); const p = new URLSearchParams(s); const words = p.get('words') ?? '';
     box.innerHTML = '<a href="#/${put === 'append' ? 'list' : 'find'}?words=oak">Oak</a><p></p>';
     box.lastChild.${put === 'append' ? 'append(words)' : "innerHTML = 'Nothing for ' + words"};`;
  const found = await result(
    browsers,
    application(true, { start, find: looksFor('innerHTML'), list: looksFor('append') }),
  );
  assert.equal(places(found), ['GET / words'], found.outcome.reason);
});

test.run();
