import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prototypePollution } from '../../../../workflows/checks/client/prototype-pollution.check.ts';
import { inParallel } from '../../../../workflows/checks/inputs/parallel.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Answer, html, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further, usualRows } from '../../../support/further.ts';
import { runOn, testBrowsers } from '../harness.ts';

type Page = { script: string; refuses?: (request: Request) => boolean };

/** Members of members in brackets, without a look at their names. */
const brackets = `function parse(text) {
  const result = {};
  for (const pair of text.split('&')) {
    const [name, value] = pair.split('=').map(decodeURIComponent);
    const keys = name.replaceAll(']', '').split('[');
    let at = result;
    keys.forEach((key, index) => {
      if (index === keys.length - 1) at[key] = value;
      else at = at[key] ??= {};
    });
  }
  return result;
}`;
const dots = (guard: string) => `function set(target, path, value) {
  const keys = path.split('.');
  ${guard}
  const last = keys.pop();
  for (const key of keys) target = target[key] = target[key] || {};
  target[last] = value;
}`;
const merging = (guard: string) => `function merge(to, from) {
  for (const key in from) {
    ${guard}
    if (typeof from[key] === 'object') merge(to[key] ??= {}, from[key]);
    else to[key] = from[key];
  }
  return to;
}`;

const vulnerable: Record<string, [page: Page, parameter: string]> = {
  'a parser of brackets in the query': [
    { script: `${brackets} const options = parse(location.search.slice(1)); document.title = options.q ?? 'A site'` },
    'query __proto__[name]',
  ],
  'a parser of the fragment': [
    { script: `${brackets} addEventListener('load', () => parse(location.hash.slice(1)))` },
    'fragment __proto__[name]',
  ],
  'settings by paths with dots': [
    {
      script: `${dots('')} const settings = {};
        for (const [name, value] of new URLSearchParams(location.search)) set(settings, name, value)`,
    },
    'query __proto__.name',
  ],
  'a guard that knows one of the names': [
    {
      script: `${dots("if (keys.includes('__proto__')) return;")}
        for (const [name, value] of new URLSearchParams(location.search)) set({}, name, value)`,
    },
    'query constructor.prototype.name',
  ],
  'a server that refuses such a query': [
    {
      script: `${brackets} parse(location.hash.slice(1))`,
      refuses: ({ target }) => /__proto__|constructor/.test(target),
    },
    'fragment __proto__[name]',
  ],
};

const safe: Record<string, Page> = {
  'a script that reads single values': {
    script: "document.title = new URLSearchParams(location.search).get('q') ?? 'A site'",
  },
  'a parser into objects without a prototype': {
    script: `${brackets.replace('{};', 'Object.create(null);').replace('??= {}', '??= Object.create(null)')} parse(location.search.slice(1)); parse(location.hash.slice(1))`,
  },
  'a path whose names are looked at': {
    script: `${dots("if (keys.some((key) => ['__proto__', 'constructor', 'prototype'].includes(key))) return;")}
      for (const [name, value] of new URLSearchParams(location.search)) set({}, name, value)`,
  },
  'a frozen prototype': {
    script: `Object.freeze(Object.prototype); ${brackets} parse(location.search.slice(1)); parse(location.hash.slice(1))`,
  },
  'entries of the whole query as members': {
    script: 'window.options = Object.fromEntries(new URLSearchParams(location.search))',
  },
  'an extended prototype': { script: "Object.prototype.isEmpty = false; Object.prototype.version = '1.2'" },
  'a query that is echoed': { script: "document.body.append(location.href); ''" },
  'settings that are merged without those names': {
    script: `${merging("if (key === '__proto__' || key === 'constructor') continue;")}
      merge({}, JSON.parse(decodeURIComponent(location.hash.slice(1) || '{}').replace(/^[^{].*/, '{}')))`,
  },
};

const usualVulnerable = firstRows(Object.entries(vulnerable), 2);
const usualSafe = usualRows(safe, ['a path whose names are looked at', 'an extended prototype']);

const test = suite<{ browsers: BrowserPool; results: ReadonlyMap<string, CheckResult> }>('client.prototype-pollution');
test.before(async (context) => {
  context.browsers = testBrowsers();
  const pages = [...usualVulnerable.map(([what, [page]]) => [what, page] as const), ...usualSafe];
  context.results = new Map(
    await inParallel(pages, 4, async ([what, page]) => [what, await resultOf(context.browsers, page)] as const),
  );
});
test.after(({ browsers }) => browsers.close());

async function resultOf(browsers: BrowserPool, { script, refuses = () => false }: Page): Promise<CheckResult> {
  const site = await startSite((request): Answer | undefined => {
    if (refuses(request)) return html('<h1>Request blocked</h1>', 403);
    if (request.path === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
    return request.path === '/' ? html('<p>The shop</p><script src="/app.js"></script>') : undefined;
  });
  try {
    return await runOn(site.url, prototypePollution, { browsers, timeLimitMs: 300_000 });
  } finally {
    await site.close();
  }
}

for (const [what, [, parameter]] of usualVulnerable)
  test(`${what} is found`, ({ results }) => {
    const { outcome, findings = [] } = results.get(what) ?? {};
    assert.is(outcome?.kind, 'found', outcome?.reason);
    const { location } = findings[0] ?? {};
    assert.equal([findings.length, `${location?.parameterIn} ${location?.parameter}`], [1, parameter]);
  });

for (const [what] of usualSafe)
  test(`${what} is clean`, ({ results }) => {
    const { outcome } = results.get(what) ?? {};
    assert.is(outcome?.kind, 'clean', outcome?.reason);
  });

further(test)('a page is opened once, however many spellings are tried', async ({ browsers }) => {
  const site = await startSite(({ path }) =>
    path === '/' ? html('<script>document.title = location.search</script>') : undefined,
  );
  try {
    await runOn(site.url, prototypePollution, { browsers });
    assert.is(site.requests.filter((line) => line.includes('__proto__')).length, 1);
  } finally {
    await site.close();
  }
});

test('pages that differ in data alone stand for each other', async ({ browsers }) => {
  const paths = Array.from({ length: 12 }, (_, index) => `/${'abcdefghijkl'[index]}`);
  const site = await startSite(({ path }) => {
    if (path === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: 'document.title += "!"' };
    if (path !== '/' && !paths.includes(path)) return undefined;
    const links = paths.map((each) => `<a href=${each}>${each}</a>`).join(' ');
    return html(
      `<h1>${path}</h1>${links}<script>SITE = { words: "${path.repeat(path.charCodeAt(1) - 90)}" }; document.querySelectorAll('b')</script><script>here = location.search; token = "${path.slice(1).repeat(32)}"</script><script src=/app.js></script>`,
    );
  });
  try {
    const { outcome } = await runOn(site.url, prototypePollution, { browsers });
    assert.equal([outcome.kind, outcome.omitted], ['clean', []]);
    assert.ok(site.requests.filter((line) => line.includes('__proto__')).length <= 2);
  } finally {
    await site.close();
  }
});

test('without a browser nothing is said', async () => {
  const site = await startSite(() => html('<script>document.title = location.search</script>'));
  try {
    assert.is((await runOn(site.url, prototypePollution)).outcome.kind, 'not-run');
  } finally {
    await site.close();
  }
});

test.run();
