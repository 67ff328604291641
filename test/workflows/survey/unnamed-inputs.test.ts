import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { survey } from '../../../workflows/survey/crawler.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { firstOfKinds, further } from '../../support/further.ts';
import { openTestProbes } from '../support/checks.ts';

const test = suite('inputs that no page names');

/** @returns "query debug" for each input, and how often the page was asked for */
async function inputsOf(handler: Handler, maxRequests = 1_000, observes = false) {
  const site = await startSite(handler);
  const { signal } = new AbortController();
  const probes = openTestProbes(site.url, signal, undefined, { maxRequests });
  try {
    const surveyed = { probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], signal, observes };
    const { inputs, omitted } = await survey(surveyed);
    return {
      inputs: inputs.map(({ in: place, parameter }) => `${place} ${parameter}`),
      requests: site.requests.length,
      omitted,
    };
  } finally {
    await Promise.all([probes.close(), site.close()]);
  }
}

const page = (text: string, rest = '') => html(`<h1>Welcome</h1><p>${text}</p><p>Open from nine to five</p>${rest}`);
const only =
  (answer: (request: Parameters<Handler>[0]) => ReturnType<Handler>): Handler =>
  (request) =>
    request.path === '/' ? answer(request) : undefined;

const table: [string, Handler, string[]][] = [
  ['one that the page shows', only(({ query }) => page(query.get('msg') ?? 'Hello')), ['query msg']],
  [
    'one that makes another page of it',
    only(({ query }) => page(query.has('debug') ? 'Trace' : 'Hello')),
    ['query debug'],
  ],
  [
    'one whose value breaks it',
    only(({ query }) => (query.get('id')?.includes("'") ? { status: 500, body: 'Error' } : page('Hello'))),
    ['query id'],
  ],
  [
    'a header that the page shows',
    only(({ headers }) => page(`You come from ${headers.referer ?? 'nowhere'}`)),
    ['header Referer'],
  ],
  [
    'a header that makes another page of it, and one behind it',
    only(({ headers }) => {
      const breaks = (name: string) => String(headers[name] ?? '').includes("'");
      if (breaks('x-forwarded-for')) return { status: 404, body: 'No' };
      return breaks('user-agent') ? { status: 500, body: 'Error' } : page('Hello');
    }),
    ['header User-Agent', 'header X-Forwarded-For'],
  ],
  [
    'the one for which the page leads to an address with all that it was asked for',
    only(({ query }) =>
      query.has('admin') ? { status: 302, headers: { location: `/elsewhere?${query}` }, body: '' } : page('Hello'),
    ),
    ['query admin'],
  ],
  ['none of a page that takes no input', only(() => page('Hello')), []],
  [
    'none of a page that repeats whatever is asked for',
    only(({ query }) => page('Hello', `<a href="?${query}">Here</a>`)),
    [],
  ],
  ['none of a page that is another one each time', only(() => page(`Visitor ${Math.random()}`)), []],
  [
    'none of a page that refuses any query',
    only(({ query }) => (query.size > 0 ? { status: 403, body: 'No' } : page('Hello'))),
    [],
  ],
  [
    'no header where a cache may keep the answer',
    only(({ headers }) => ({
      ...page(`From ${headers.referer ?? 'nowhere'}`),
      headers: { 'content-type': 'text/html', 'x-cache': 'MISS' },
    })),
    [],
  ],
];
for (const [name, handler, expected] of firstOfKinds(table, ([, , expected]) => expected.length > 0, 3))
  test(`finds ${name}`, async () => {
    const { inputs, requests } = await inputsOf(handler);
    assert.equal(inputs, expected);
    assert.ok(requests < 60, `${requests} requests`);
  });

test('reports pages beyond those that they were tried on', async () => {
  const names = ['news', 'team', 'prices', 'jobs', 'help', 'press', 'shops'];
  const links = names.map((name) => `<a href="/${name}">${name}</a>`).join('');
  const { omitted } = await inputsOf(({ path }) =>
    path === '/' || names.includes(path.slice(1)) ? page(`All about ${path}`, links) : undefined,
  );
  assert.equal(
    omitted.filter(({ code }) => code === 'unnamed').map(({ count }) => count),
    [2],
  );
});

/** Requests that carried names which no page has. */
async function guessesAt(paths: readonly string[], start: string) {
  const guessed = new Map(paths.map((path) => [path, 0]));
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
  const { inputs, omitted } = await inputsOf(({ path, query }) => {
    const before = guessed.get(path);
    if (query.size > 1 && before !== undefined) guessed.set(path, before + 1);
    if (path !== '/' && !paths.includes(path)) return undefined;
    if (path !== '/' && query.get('year')?.includes("'")) return { status: 400, body: 'No number' };
    return page(`All about ${path}`, path === '/' ? `${links}${start}` : '');
  });
  return { inputs, omitted, guesses: [...guessed.values()] };
}

test('tries what another page takes first, where a page refuses one of many names', async () => {
  const { inputs, guesses } = await guessesAt(['/news', '/team', '/jobs'], '');
  assert.equal(inputs, ['query year', 'query year', 'query year']);
  const [first = 0, ...others] = guesses;
  assert.ok(first <= 15, `${first} requests at the first page`);
  for (const count of others) assert.ok(count <= 7, `${count} requests at a further page`);
});

further(test)('takes a parameter at some pages that are built alike, which speak for the others', async () => {
  const of = async (ending: string) => {
    const { inputs, omitted } = await guessesAt(
      ['/news', '/team', '/jobs', '/press', '/help'].map((path) => `${path}${ending}`),
      '',
    );
    return [inputs.length, omitted.find(({ code }) => code === 'alike')?.count];
  };
  assert.equal(await of(''), [3, 2]);
  assert.equal(await of('.php'), [5, undefined]);
});

test('does not try names that pages send there themselves', async () => {
  const { guesses } = await guessesAt(['/news'], '<a href="/news?year=2001">2001</a>');
  assert.equal(guesses, [4]);
});

test('takes a parameter once that one program answers, whatever the page', async () => {
  const links = '<a href="/news">News</a><a href="/team">Team</a>';
  const { inputs, omitted } = await inputsOf(({ path, query }) => {
    if (!['/', '/news', '/team'].includes(path)) return undefined;
    if (query.has('debug')) return page(`All about ${path}: trace`);
    return page(
      query.has('q') ? `Nothing found for ${query.get('q')}` : `All about ${path}`,
      query.has('q') ? '' : links,
    );
  });
  assert.equal(inputs.toSorted(), ['query debug', 'query debug', 'query debug', 'query q']);
  assert.equal(
    omitted.filter(({ code }) => code === 'alike').map(({ count }) => count),
    [2],
  );
});

further(test)(
  'asks further pages, and second steps of those that were asked, for the headers that they read, in a deep scan',
  async () => {
    const paths = Array.from({ length: 28 }, (_, index) => `/part-${String.fromCharCode(97 + index)}x`);
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
    const handler: Handler = ({ path, query, headers }) => {
      if (path === '/') return page('Parts', links);
      if (!paths.includes(path)) return undefined;
      if (path === paths[0] && query.has('step')) return page(`You come from ${headers.referer ?? 'nowhere'}`);
      if (path === paths[27]) return page(headers['x-real-ip'] ? 'Somebody else' : 'Nobody');
      return page(`All about ${path}`, `<a href="${path}?step=2">On</a>`);
    };
    const { inputs } = await inputsOf(handler, 1_000, true);
    assert.equal(inputs.filter((input) => input.startsWith('header')).toSorted(), [
      'header Referer',
      'header X-Real-IP',
    ]);
  },
);

further(test)(
  'asks no more for a header that many pages read, in front of all of them, and still for the others',
  async () => {
    const paths = Array.from(
      { length: 40 },
      (_, index) => `/part-${'abcdefghij'[index % 10]}${'klmn'[(index / 10) | 0]}`,
    );
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
    const asked = new Map<string, number>();
    const handler: Handler = ({ path, query, headers }) => {
      if (path !== '/' && !paths.includes(path)) return undefined;
      if (query.size > 0) asked.set(path, (asked.get(path) ?? 0) + 1);
      if (path === paths[39] && headers['x-real-ip']) return page('Somebody else');
      return page(headers['accept-language']?.includes("'") ? `Rien sur ${path}` : `All about ${path}`, links);
    };
    const { inputs, omitted } = await inputsOf(handler, 2_000, true);
    assert.is(inputs.filter((input) => input === 'header Accept-Language').length, 6);
    assert.ok(inputs.includes('header X-Real-IP'));
    for (const path of paths.slice(30, 39)) assert.is(asked.get(path), 2, path);
    assert.ok(omitted.some(({ code, count }) => code === 'alike' && count > 25));
  },
);

further(test)(
  'asks pages of each kind for headers, however many another kind has, and all of numbered programs',
  async () => {
    const exercises = Array.from({ length: 60 }, (_, index) => `/exercise/${index + 101}`);
    const parts = Array.from({ length: 26 }, (_, index) => `/part-${String.fromCharCode(97 + index)}x`);
    const last = '/visits/counted';
    const links = [...parts, ...exercises, last].map((path) => `<a href="${path}">${path}</a>`).join('');
    const handler: Handler = ({ path, headers }) => {
      if (path === '/') return page('Exercises', links);
      if (path === exercises[57] && headers['x-real-ip']) return page('Somebody else');
      if (path === last && headers['user-agent']?.includes("'")) return { status: 500, body: 'Error' };
      const field = `<form action="${path}"><input name="field${path.replace(/\W/g, '')}" value="tea"></form>`;
      return [...parts, last].includes(path)
        ? page(`All about ${path}`)
        : exercises.includes(path)
          ? page(path, field)
          : undefined;
    };
    const { inputs } = await inputsOf(handler, 3_000, true);
    assert.equal(inputs.filter((input) => input.startsWith('header')).toSorted(), [
      'header User-Agent',
      'header X-Real-IP',
    ]);
  },
);

const leftUnnamed = (omitted: Awaited<ReturnType<typeof inputsOf>>['omitted']) =>
  omitted.filter(({ code }) => code === 'unnamed').map(({ count }) => count);
const two = '<a href="/first">First</a><a href="/second">Second</a>';
const isPage = (path: string) => ['/', '/first', '/second'].includes(path);

test('reports a page whose answer cannot be read when it is asked with names, and tries the next one', async () => {
  const { inputs, omitted } = await inputsOf(({ path, query }) => {
    if (!isPage(path)) return undefined;
    if (path === '/first' && query.size > 0)
      return { headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' }, body: 'no gzip' };
    return page(path === '/second' ? (query.get('msg') ?? 'Hello') : `All about ${path}`, two);
  });
  assert.equal([inputs, leftUnnamed(omitted)], [['query msg'], [1]]);
});

test('reports all pages that are left when the budget of the survey ends', async () => {
  const handler: Handler = ({ path }) => (isPage(path) ? page(`All about ${path}`, two) : undefined);
  const { requests } = await inputsOf(handler);
  const cut = await inputsOf(handler, requests - 8);
  assert.equal([cut.inputs, leftUnnamed(cut.omitted)], [[], [2]]);
});

test.run();
