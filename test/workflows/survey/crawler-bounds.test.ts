import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { survey } from '../../../workflows/survey/crawler.ts';
import { firstRows, further } from '../../support/further.ts';
import { httpTarget, openFor } from '../probe/support.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const crawler = suite('the bounds of the crawler');

crawler('follows a chain of links to its end, however deep', async () => {
  const word = (index: number) => [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const surface = await surveyOf((path, url) => {
    const index = Number(url.searchParams.get('n') ?? 0);
    return path === '/' || path.startsWith('/step')
      ? `<a href="/step/of/${word(index)}/x${word(index + 1)}?n=${index + 1}">next</a>`.repeat(index < 60 ? 1 : 0)
      : { status: 404 };
  });
  assert.ok(surface.pages.length > 60, String(surface.pages.length));
});

crawler('asks a page that gives no answer once more before it counts as unreachable', async () => {
  let times = 0;
  const surface = await surveyOf((path) => {
    if (path === '/') return '<a href="/once">a</a><a href="/never">b</a>';
    if (path === '/never' || (path === '/once' && ++times === 1)) return { breaks: true };
    return path === '/once' ? '<p>here</p>' : { status: 404 };
  });
  assert.ok(surface.pages.some(({ url }) => url.endsWith('/once')));
  assert.equal(
    surface.omitted.map(({ code, count }) => [code, count]),
    [['unreachable', 1]],
  );
  assert.ok(surface.asked.filter((each) => each === 'GET /never').length >= 2);
});

crawler('reads the form of each program whose page is the same, and not a login that any address shows', async () => {
  const names = ['amber', 'birch', 'cedar', 'elder', 'hazel', 'linden', 'maple'];
  const links = names.map((name) => `<a href="/tree/${name}">x</a>`).join('');
  const surfaceOf = (fields: string) =>
    surveyOf((path) =>
      path === '/'
        ? links
        : path.startsWith('/tree/')
          ? `<form method="post">${fields}<button>Go</button></form>`
          : { status: 404 },
    );
  const actions = ({ forms }: Awaited<ReturnType<typeof surfaceOf>>) =>
    forms.map(({ action }) => new URL(action).pathname).sort();
  assert.equal(
    actions(await surfaceOf('<input name="height">')),
    names.map((name) => `/tree/${name}`),
  );
  const logins = await surfaceOf('<input name="user"><input type="password" name="pin">');
  assert.ok(logins.forms.length <= 3, String(logins.forms.length));
});

further(crawler)('asks pages again alone that were too slow while a program was busy with another one', async () => {
  const names = ['/one', '/two', '/three', '/four'];
  const links = ['/report', ...names].map((path) => `<a href="${path}">x</a>`).join('');
  let busyUntil = 0;
  const target = await httpTarget(({ url }, response) => {
    if (url === '/report' && busyUntil === 0) busyUntil = Date.now() + 9_000;
    const waitMs = url === '/report' ? 60_000 : Math.max(0, busyUntil - Date.now());
    setTimeout(() => response.setHeader('content-type', 'text/html').end(links), waitMs);
  });
  const probes = openFor(target.url);
  const signal = new AbortController().signal;
  const look = survey({ probes, url: target.url, startUrls: [], excludedPaths: [], signal });
  const surface = await look.finally(() => Promise.all([probes.close(), target.close()]));
  const seen = new Set(surface.pages.map((page) => new URL(page.url).pathname));
  assert.ok(
    names.every((name) => seen.has(name)),
    [...seen].join(),
  );
  assert.equal(
    surface.omitted.map(({ code, count }) => [code, count]),
    [['unreachable', 1]],
  );
});

crawler('reports an address of more parts than are read as an odd one, not as one that acts', async () => {
  const query = Array.from({ length: 100 }, (_, index) => `p${index}=1`).join('&');
  const surface = await surveyOf((path) => (path === '/' ? `<a href="/list?${query}">x</a>` : { status: 404 }));
  assert.equal(
    surface.omitted.map(({ code, count }) => [code, count]),
    [['odd_address', 1]],
  );
  assert.not(surface.asked.some((each) => each.includes('p99')));
});

crawler('asks for no address into which a script has put no value', async () => {
  const surface = await surveyOf((path) =>
    path === '/'
      ? '<a href="/berths/undefined">a</a><a href="/berths/null/edit">b</a><a href="/undefined-names">c</a>'
      : '<p>here</p>',
  );
  assert.not(surface.asked.some((each) => each.startsWith('GET /berths/')));
  assert.ok(surface.asked.includes('GET /undefined-names'));
  assert.ok(surface.omitted.some(({ code, count }) => code === 'odd_address' && count === 2));
});

crawler('asks for no pattern with which a script compares addresses', async () => {
  const surface = await surveyOf((path) =>
    path === '/'
      ? `<script>const routes = { '/settings/mail/?.*': 1, '/settings/logs/?.*$': 2, '/settings/keys?a=.*': 3 };</script>`
      : '<p>here</p>',
  );
  assert.not(surface.asked.some((each) => /^GET \/settings\/(?:mail|logs)/.test(each)));
  assert.ok(surface.asked.some((each) => each.startsWith('GET /settings/keys')));
  assert.not(surface.inputs.some(({ parameter }) => parameter.startsWith('.*')));
});

const bounded: [name: string, site: Site][] = [
  [
    'a calendar without end',
    (_path, url) =>
      `<a href="/cal?month=${Number(url.searchParams.get('month') ?? 0) + 1}">next</a><a href="/cal/${(Math.random() * 1e9) | 0}">x</a>`,
  ],
  ['a catch-all page with relative links', () => '<a href="more/">x</a><a href="./other/page">x</a>'],
  [
    'relative links that differ every time',
    (path) =>
      `<p>${path}</p><a href="${Math.random().toString(36).slice(2, 8)}/">x</a><a href="s${Math.random().toString(36).replace(/\d/g, '').slice(2)}/">x</a>`,
  ],
  [
    'a page that links to thousands',
    () =>
      Array.from(
        { length: 5_000 },
        (_, index) => `<a href="/p/${'abcdefghij'[index % 10]}${index.toString(36)}q">x</a>`,
      ).join(''),
  ],
  [
    'parameters that grow',
    (_path, url) => `<a href="${url.pathname}${url.search || '?'}&p${url.search.length}=1">x</a>`,
  ],
];

for (const [name, site] of firstRows(bounded, 2)) {
  crawler(`ends on ${name}`, async () => {
    const surface = await surveyOf(site);
    assert.ok(surface.pages.length <= 400, String(surface.pages.length));
    // Twenty besides pages, and what six pages are asked with parameters that they do not name.
    assert.ok(surface.asked.length <= 420 + 6 * 6, String(surface.asked.length));
  });
}

crawler('says what the budget left out, instead of failing', async () => {
  const surface = await surveyOf(
    () =>
      Array.from(
        { length: 30 },
        (_, index) => `<a href="/a${'bcdefghij'[index % 9]}${'klmnop'[index % 6]}">x</a>`,
      ).join(''),
    {},
    { share: { maxRequests: 8 } },
  );
  assert.is(surface.asked.length, 8);
  assert.ok(surface.skipped.some(({ reason }) => reason.includes('used up')));
});

crawler.run();
