import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surface } from '../../../workflows/model/surface.ts';
import { further } from '../../support/further.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const test = suite('what the survey fetches of a route');

const shelf = (count: number, link: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => `<a href="${link(number + 1)}">x</a>`).join('');

const numberIn = (path: string): number => Number(/\d+/.exec(path)?.[0] ?? 0);

/** Pages of a shop: built alike, or each of its own kinds of elements. */
const shop =
  (count: number, pageOf: (number: number) => string | ReturnType<Site>): Site =>
  (path) =>
    path === '/'
      ? shelf(count, (number) => `/item/${number}`)
      : path.startsWith('/item/')
        ? pageOf(numberIn(path))
        : { status: 404 };

const alike = (number: number) => `<h1 class="name">Item ${number}</h1><p class="text">It is number ${number}.</p>`;
/** MinHash needs several kinds of elements to distinguish pages. */
const different = (number: number) =>
  Array.from({ length: 12 }, (_, index) => `<x-${'abcdefghijklmnopqrstuvwxyz'[number % 26]}${index}>a</x-a>`).join('');

const counts = ({ omitted }: Surface) => Object.fromEntries(omitted.map(({ code, count }) => [code, count]));
const items = ({ pages }: Surface) =>
  pages.filter(({ url }) => url.includes('/item/')).map(({ url }) => numberIn(new URL(url).pathname));

test('addresses that differ in a number that no program reads are one route', async () => {
  const surface = await surveyOf((path) =>
    path === '/' ? shelf(60, (number) => `/item/run?id=a&${1_795_443_000 + number}`) : alike(7),
  );
  assert.is(surface.pages.filter(({ url }) => url.includes('/item/')).length, 8);
  assert.equal(
    surface.inputs.flatMap(({ in: place, parameter }) => (place === 'query' ? parameter : [])),
    ['id'],
  );
});

test('addresses with the same parameters in another order are one page', async () => {
  const parts = ['id=a', 'tab=b', 'ns=c'];
  const orders = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => [one, two, three])));
  const turned = orders.filter((order) => new Set(order).size === 3);
  const surface = await surveyOf((path) =>
    path === '/'
      ? [...turned, ['id=a', 'tab=b', 'tab=d'], ['id=a', 'tab=d', 'tab=b']]
          .map((order) => `<a href="/item/run?${order.join('&')}">x</a>`)
          .join('')
      : alike(7),
  );
  assert.equal(surface.pages.flatMap(({ url }) => (url.includes('/item/') ? [new URL(url).search] : [])).sort(), [
    '?id=a&tab=b&ns=c',
    '?id=a&tab=b&tab=d',
    '?id=a&tab=d&tab=b',
  ]);
});

test('a filter that is chosen again shows the same page', async () => {
  const surface = await surveyOf((path, { search }) =>
    path === '/' ? alike(7) + shelf(5, (number) => `/?${search.slice(1)}&f=colour${number}`) : { status: 404 },
  );
  const chosen = surface.pages.map(({ url }) => new URL(url).searchParams.getAll('f'));
  assert.equal(
    chosen.filter((values) => new Set(values).size < values.length),
    [],
  );
  assert.ok(chosen.some((values) => values.length > 1));
});

test('pages of one path are not all fetched for one form that they have, but where it goes to each', async () => {
  const fetchedWith = async (form: string) => {
    const surface = await surveyOf((path) =>
      path === '/' ? alike(7) + form + shelf(60, (number) => `/?f=${number}`) : { status: 404 },
    );
    return surface.pages.filter(({ url }) => url.includes('?f=')).length;
  };
  assert.is(await fetchedWith('<form><input name="q"></form>'), 8);
  assert.is(await fetchedWith('<form method="post"><input name="q"></form>'), 60);
});

test('eight pages that are spread over a route and built alike speak for the rest, which is counted', async () => {
  const surface = await surveyOf(shop(198, alike));
  const fetched = items(surface);
  assert.is(fetched.length, 8);
  assert.ok(Math.max(...fetched) > 150 && Math.min(...fetched) < 50, fetched.join());
  assert.equal(counts(surface), { folded: 190 });
  assert.ok(surface.skipped.some(({ url, code }) => url.includes('/item/') && code === 'folded'));
});

/** Sections enough for a site that is no small one, and a list that each of six parameters filters, in any combination. */
const tracker =
  (viewOf: (filters: readonly string[]) => string): Site =>
  (_path, { pathname, searchParams }) => {
    if (pathname === '/')
      return `${sections.map((section) => `<a href="${section}">x</a>`).join('')}<a href="/tasks">x</a>`;
    if (sections.includes(pathname)) return `<h1>${pathname}</h1>`;
    if (pathname !== '/tasks') return { status: 404 };
    const set = [...searchParams.keys()];
    const further = ['state', 'kind', 'owner', 'level', 'place', 'sort'].map((name) =>
      [...new Set([...set, name])].sort(),
    );
    return `<h1>Tasks</h1>${viewOf(set)}${further.map((names) => `<a href="/tasks?${names.map((name) => `${name}=a`).join('&')}">x</a>`).join('')}`;
  };
const letters = [...'abcdefghijklm'];
const sections = ['goods', 'people', 'places', 'works', 'books', 'plans', 'parts', 'notes'].flatMap((folder) =>
  letters.map((letter) => `/${folder}/${letter}`),
);
const views = ({ pages }: Surface) => pages.filter(({ url }) => new URL(url).pathname === '/tasks').length;

test('of combinations of filters that show the same list, and lead to nothing else, a few speak for the others', async () => {
  const surface = await surveyOf(tracker((filters) => `<p>Only ${filters.join()}</p>`));
  assert.ok(views(surface) < 32, `${views(surface)}`);
  const names = surface.inputs.filter(({ route }) => route === '/tasks').map(({ parameter }) => parameter);
  assert.is(new Set(names).size, 6);
  assert.ok((counts(surface).folded ?? 0) > 0);
});

/** Pages of names of their own, each with versions, and what they differ in. */
const wiki =
  (viewOf: (name: string, view: URL) => string): Site =>
  (path, url) => {
    const names = Array.from(
      { length: 30 },
      (_, number) => `Topic${'abcdefghijklmnopqrstuvwxyz'[number % 26]}${number}`,
    );
    if (path === '/') return names.map((name) => `<a href="/page/${name}">${name}</a>`).join('');
    if (!path.startsWith('/page/')) return { status: 404 };
    const links = ['version=1', 'version=2', 'action=diff&version=2'].map(
      (query) => `<a href="${path}?${query}">x</a>`,
    );
    return `${alike(7)}${links.join('')}${url.search === '' ? '' : viewOf(path, url)}`;
  };
const viewsIn = ({ pages }: Surface) => pages.filter(({ url }) => url.includes('?version=')).length;

further(test)(
  'views of pages with names of their own that are alike and lead to nothing else speak for each other',
  async () => {
    const surface = await surveyOf(wiki((_, { search }) => `<p>${search}</p>`));
    assert.ok(viewsIn(surface) < 30, String(viewsIn(surface)));
    assert.is(surface.pages.filter(({ url }) => /page\/\w+$/.test(url)).length, 30);
    assert.ok((counts(surface).folded ?? 0) > 30);
    assert.ok(surface.inputs.some(({ parameter }) => parameter === 'action'));
  },
);

further(test)('views of pages with names of their own that lead to inputs of their own are all fetched', async () => {
  const surface = await surveyOf(wiki((path) => `<a href="${path}/notes?of=1">x</a>`));
  assert.ok(viewsIn(surface) >= 30, String(viewsIn(surface)));
});

further(test)('combinations of parameters whose pages have forms of their own are all fetched', async () => {
  const surface = await surveyOf(
    tracker((filters) => `<form action="/save"><input name="as_${filters.join('_')}"></form>`),
  );
  assert.is(views(surface), 64);
  assert.is(counts(surface).folded, undefined);
});

further(test)('what a router names in a parameter is a page of its own, and the numbers in it are not', async () => {
  const parts = ['orders', 'people', 'goods', 'plans'].flatMap((part) =>
    letters.slice(0, 5).map((name) => `${part}/${name}`),
  );
  const numbered = Array.from({ length: 60 }, (_, index) => `goods/show/${index + 1}`);
  const { pages } = await surveyOf((path, { searchParams }) =>
    path !== '/index.php' && path !== '/'
      ? { status: 404 }
      : `<h1 class="name">${searchParams.get('route') ?? 'Start'}</h1>${[...parts, ...numbered].map((route) => `<a href="/index.php?route=/${route}">x</a>`).join('')}`,
  );
  const routes = pages.flatMap(({ url }) => new URL(url).searchParams.get('route')?.slice(1) ?? []);
  for (const part of parts) assert.ok(routes.includes(part), part);
  assert.is(routes.filter((route) => route.startsWith('goods/show/')).length, 8);
});

test('a route of fewer pages than that is fetched as a whole', async () => {
  const surface = await surveyOf(shop(7, alike));
  assert.is(items(surface).length, 7);
  assert.equal(surface.omitted, []);
});

further(test)(
  'pages of a route that take input each at its own address are all fetched, however alike they are',
  async () => {
    const taking = (number: number) =>
      `${alike(number)}<form action="/item/${number}"><input name="q${number}"></form>`;
    const surface = await surveyOf(shop(60, taking));
    assert.is(new Set(items(surface)).size, 60);
    assert.is(surface.inputs.filter(({ parameter }) => /^q\d/.test(parameter)).length, 60);
    assert.is(counts(surface).folded, undefined);
  },
);

/** Pages of routes of their own below one path, as those of articles are. */
const named = (count: number) =>
  Array.from({ length: count }, (_, at) => `${letters[at % 13]}${letters[Math.floor(at / 13)]}q`);
const sectionOf =
  (count: number, pageOf: (name: string) => string): Site =>
  (path) => {
    if (path === '/')
      return named(count)
        .map((name) => `<a href="/cases/${name}">x</a>`)
        .join('');
    const name = path.replace('/cases/', '');
    return named(count).includes(name) ? pageOf(name) : '<p>An answer.</p>';
  };
const casesOf = ({ pages }: Surface) => pages.filter(({ url }) => new URL(url).pathname.startsWith('/cases/')).length;

further(test)('of many pages below one path all are fetched while they lead to inputs of their own', async () => {
  const surface = await surveyOf(sectionOf(130, (name) => `<a href="/run/${name}?in${name}=a">x</a>`));
  assert.is(casesOf(surface), 130);
  assert.is(surface.inputs.filter(({ parameter }) => /^in/.test(parameter)).length, 130);
  const articles = await surveyOf(sectionOf(130, (name) => `<h1>${name}</h1><a href="/cases/ab?page=1">x</a>`));
  assert.ok(casesOf(articles) <= 90, String(casesOf(articles)));
  assert.ok((counts(articles).folded ?? 0) > 30, JSON.stringify(counts(articles)));
});

further(test)('pages of a route whose forms all go to one address speak for each other', async () => {
  const buying = (number: number) => `${alike(number)}<form action="/find"><input name="q"></form>`;
  const surface = await surveyOf(shop(60, buying));
  assert.is(items(surface).length, 8);
});

test('while the pages of a route differ, more are fetched, up to a bound; the rest is no page that others speak for', async () => {
  const surface = await surveyOf(shop(100, different));
  assert.is(items(surface).length, 24);
  assert.equal(counts(surface), { template_unseen: 76 });
  assert.match(surface.omitted[0]?.text ?? '', /^76 pages were not fetched, and of their routes fewer than 8/);
});

further(test)('pages of a route that are mixed are fetched until eight of one kind were seen', async () => {
  const surface = await surveyOf(shop(60, (number) => (number % 2 === 0 ? alike(number) : different(number))));
  const fetched = items(surface).length;
  assert.ok(fetched > 8 && fetched < 24, String(fetched));
  assert.equal(counts(surface), { folded: 60 - fetched });
});

test('what the budget left out is reported as such, with the setting that would change it', async () => {
  const surface = await surveyOf(
    (path) => (path === '/' ? shelf(30, (number) => `/${'abcdefghijklmnopqrstuvwxyzäöüß'[number - 1]}x/`) : 'fine'),
    {},
    { share: { maxRequests: 12 } },
  );
  const gap = surface.omitted.find(({ code }) => code === 'budget');
  assert.ok((gap?.count ?? 0) >= 18, JSON.stringify(surface.omitted));
  assert.match(gap?.text ?? '', 'excludedPaths');
});

test('excluded paths, links that act and other hosts are distinguished; other hosts are nobody’s business', async () => {
  const surface = await surveyOf(
    (path) =>
      path === '/'
        ? '<a href="/private/a">a</a><a href="/private/b">b</a><a href="/user/1/delete">x</a><a href="https://elsewhere.example/">c</a>'
        : { status: 404 },
    { excludedPaths: ['/private'] },
  );
  assert.equal(counts(surface), { excluded: 2, would_act: 1 });
});

test.run();
