import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientTemplate } from '../../../../workflows/checks/injection/client-template.check.ts';
import { inParallel } from '../../../../workflows/checks/inputs/parallel.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { libraries } from '../../../scorecard/sites/script-pages.ts';
import { further, usualRows } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

/** The page for a search, with its term encoded for HTML. */
type Page = { library: () => Promise<string>; page: (term: string) => string; headers?: Record<string, string> };

const framework = '<script src="/framework.js"></script>';
const mounted = (inside: string, options = '') =>
  `<div id="app">${inside}</div>${framework}<script>Vue.createApp({ ${options} }).mount('#app')</script>`;

const vulnerable: Record<string, Page> = {
  'an expression in text that Vue compiles': { library: libraries.vue, page: (term) => mounted(`<p>${term}</p>`) },
  'an attribute that Vue takes for an expression': {
    library: libraries.vue,
    page: (term) => mounted(`<a :title="'About ${term}'">About</a>`),
  },
  'a handler of Alpine that waits for a click': {
    library: libraries.alpine,
    page: (term) => `<div x-data="{ at: '' }"><button @click="at = '${term}'">Show</button></div>${framework}`,
  },
  'text in a sandbox of AngularJS': {
    library: libraries.sandboxedAngularJs,
    page: (term) => `<body ng-app>No ${term}${framework}</body>`,
  },
};

const safe: Record<string, Page> = {
  'keeps the value out of what is compiled': {
    library: libraries.vue,
    page: (term) => `<h1>${term}</h1>${mounted('{{ 1 + 1 }}')}`,
  },
  'hands the value over as data': {
    library: libraries.vue,
    page: (term) =>
      `<b data-term="${term}"></b>${mounted('{{ term }}', "data: () => document.querySelector('b').dataset")}`,
  },
  'takes braces out of the value': {
    library: libraries.vue2,
    page: (term) =>
      `<div id="app">${term.replace(/[{}]/g, '')}</div>${framework}<script>new Vue({ el: '#app' })</script>`,
  },
  'has a policy under which nothing can be compiled': {
    library: libraries.vue,
    page: (term) => `<div id="app">${term}</div>${framework}<script src="/mount.js"></script>`,
    headers: { 'content-security-policy': "script-src 'self'" },
  },
  'shows braces, without a library that reads them': {
    library: libraries.jquery,
    page: (term) => `<p>${term}</p>${framework}<script>document.title = 'x'</script>`,
  },
};

async function result(browsers: BrowserPool | undefined, { library, page, headers = {} }: Page): Promise<CheckResult> {
  const text = await library();
  const js = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html('<a href="/find?q=lamp">Lamps</a>');
    if (path === '/framework.js') return js(text);
    if (path === '/mount.js') return js("Vue.createApp({}).mount('#app')");
    return path === '/find' ? html(page(escapeHtml(query.get('q') ?? '')), 200, headers) : undefined;
  });
  try {
    return await runOn(site.url, clientTemplate, { ...(browsers ? { browsers } : {}), timeLimitMs: 300_000 });
  } finally {
    await site.close();
  }
}

const usualVulnerable = usualRows(vulnerable, [
  'an expression in text that Vue compiles',
  'text in a sandbox of AngularJS',
]);
const usualSafe = usualRows(safe, ['hands the value over as data']);

const test = suite<{ browsers: BrowserPool; results: ReadonlyMap<string, CheckResult> }>('injection.client-template');
test.before(async (context) => {
  context.browsers = testBrowsers();
  const pages = [...usualVulnerable, ...usualSafe];
  context.results = new Map(
    await inParallel(pages, 4, async ([what, page]) => [what, await result(context.browsers, page)] as const),
  );
});
test.after(({ browsers }) => browsers.close());

for (const [what] of usualVulnerable)
  test(`${what} is found, and proven by the browser`, ({ results }) => {
    const found = results.get(what);
    assert.equal([found?.outcome.kind, found && places(found)], ['found', ['GET /find q']], found?.outcome.reason);
    assert.is(found?.findings[0]?.proof?.trials, 2);
  });

for (const [what] of usualSafe)
  test(`a page that ${what} is clean`, ({ results }) => {
    const found = results.get(what);
    assert.equal([found?.outcome.kind, found?.findings.length], ['clean', 0], found?.outcome.reason);
  });

test('the version of AngularJS is named, since its sandbox decides what runs', ({ results }) => {
  const [finding] = results.get('text in a sandbox of AngularJS')?.findings ?? [];
  assert.match(finding?.description ?? '', 'angularjs 1.5.8');
});

further(test)('without a browser nothing is looked at', async () => {
  const { outcome } = await result(undefined, { library: libraries.vue, page: (term) => mounted(term) });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /browser/);
});

test.run();
