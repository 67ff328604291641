import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '../../../kit/logger.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import type { InputSurface } from '../../../workflows/model/surface.ts';
import { type CarriedQueries, createCarriedQueries } from '../../../workflows/observation/carried-queries.ts';
import type { ObservedAll } from '../../../workflows/observation/observe-all.ts';
import { observeAs } from '../../../workflows/observation/visitor.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { knowledgeOf } from '../../../workflows/probe/gate/knowledge.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { openProbes } from '../../../workflows/probe/open.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { type Answer, escapeHtml, type Handler, html, json, type Site, startSite } from '../../fixtures/site.ts';
import { firstRows, further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import * as sites from './sites.ts';

const test = suite<{ browsers: BrowserPool }>('the observation of forms');

test.before((given) => {
  given.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

type Given = {
  browsers?: BrowserPool;
  asUser?: boolean;
  depth?: 'standard' | 'deep';
  writes?: 'none' | 'reversible' | 'create';
  inputs?: InputSurface[];
  maxRequests?: number;
  changesOthers?: boolean;
  role?: string;
  carried?: CarriedQueries;
};
type Seen = ObservedAll & { site: Site; recorded: string[]; requests: number };

/** Looks around on a site as an anonymous visitor, and observes what is there. */
async function observed(handler: Handler, given: Given = {}): Promise<Seen> {
  const { depth = 'deep', writes = 'reversible', inputs = [], asUser = false, maxRequests = 1_000, browsers } = given;
  const site = await startSite(handler);
  const { signal } = new AbortController();
  const probes = openProbes({
    runId: '0193b2a0-0000-7000-8000-000000000002',
    target: site.url,
    share: { maxRequests, maxConnections: 5, requestsPerSecond: 500, deadlineMs: Date.now() + 60_000 },
    guard: { allow: parseAllowRules(['shop.localhost=127.0.0.0/8']) },
    signal,
    logger: createLogger('test', 'silent'),
    gate: { depth, writes },
    ...(browsers ? { browsers } : {}),
  });
  try {
    const headers: [string, string][] = [['Authorization', 'Bearer token-of-anna']];
    const identity = {
      name: 'a',
      role: given.role ?? 'user',
      jar: probes.http.newJar(),
      headers,
      checkUrl: site.url,
      marker: 'anna',
    };
    const own = asUser ? { identity } : {};
    const seen = await survey({
      probes,
      url: `${site.url}/`,
      startUrls: [],
      excludedPaths: [],
      observes: depth === 'deep',
      signal,
      ...own,
    });
    const at = (path: string) => new URL(path, site.url).href;
    const surface = { ...seen, inputs: [...seen.inputs, ...inputs.map((input) => ({ ...input, url: at(input.url) }))] };
    probes.gate.learn(knowledgeOf([surface]));
    const recorded: string[] = [];
    const result = await observeAs({
      ...{ probes, gate: probes.gate, surface, signal, nonce: makeNonce, ...own },
      changesOthers: given.changesOthers ?? false,
      ...(given.carried && { carried: given.carried }),
      known: () => undefined,
      record: async ({ method, url }, known) =>
        void recorded.push(`${method} ${new URL(url).pathname} ${known?.verdict ?? 'before'} ${site.requests.length}`),
    });
    return { ...result, site, recorded, requests: probes.requests() };
  } finally {
    await Promise.all([probes.close(), site.close()]);
  }
}

const verdicts = ({ observed: each }: ObservedAll): string[] =>
  each.map(({ submission: { method, url }, verdict }) => `${method} ${new URL(url).pathname} ${verdict}`);

const sent = ({ site }: Seen, method: string): string[] =>
  site.requests.filter((each) => each.startsWith(`${method} `));

const table: [string, () => Handler, string[]][] = [
  ['a guestbook writes', sites.guestbook, ['POST /book writes']],
  ['an entry that is shown only later is seen in the last look', sites.delayedList, ['POST /ideas/new writes']],
  ['a list that has one row more was written to', sites.growingList, ['POST /tickets/new writes']],
  ['counters, sayings, times and advertisements are the page’s own changes', sites.noisySearch, ['POST /look reads']],
  ['a calculator reads', sites.calculator, ['POST /sum reads']],
  ['what fails on a word is sent a number', sites.numbersOnly, ['POST /half reads']],
  ['a choice that leads to what was chosen reads', sites.chooser, ['POST /films reads']],
  ['a choice that a list shows to all writes', sites.shelf, ['POST /shelf/choice writes']],
  ['a form whose text is only thanked for stays undecided', sites.suggestions, ['POST /box unknown']],
  [
    'what says that it makes something, and repeats it, stays undecided',
    () => sites.hiddenList('/?to=/label/create', 'Create'),
    ['POST / unknown'],
  ],
  ['so does what says it in its path', () => sites.hiddenList('/labels/new', 'Add'), ['POST /labels/new unknown']],
  ['an editor that shows the text once more stays undecided', sites.editedPage, ['POST /edit unknown']],
  ['a search that shows to all what was looked for writes', sites.recentSearches, ['GET /search writes']],
  ['what only one’s own session is shown again changes nothing', sites.sessionHistory, ['POST /ask reads']],
  ['a form that marks its field as refused stays undecided', sites.checkedAddresses, ['POST /ways unknown']],
  ['what adds something and says why not stays undecided', () => sites.addedAddresses('Add'), ['POST /ways unknown']],
  ['what runs something and says why not reads', () => sites.addedAddresses('Run'), ['POST /ways reads']],
  ['a search that finds nothing reads', sites.emptySearch, ['POST /find reads']],
  ['a form whose page a cache keeps stays undecided', sites.cachedList, ['POST /tips unknown']],
  ['a form with a token is sent with the token of its own session', sites.withToken, ['POST /lines writes']],
];

test('an administrator of a test system tries what adds something, and nothing in the place of what is there', async () => {
  const handler: Handler = ({ path, method }) => {
    if (method === 'POST') return html('<p>Thank you</p>');
    const forms = `<form method=post action=/tips/add><input name=tip><button>Add</button></form>
      <form method=post action=/parts><textarea name=rows></textarea><button>Import</button></form>
      <form method=post action=/motto><textarea name=words>Fresh</textarea><button>Save</button></form>
      <form method=post action=/settings/rule><input name=rule><button>Add</button></form>`;
    return path === '/' ? html(`<p>anna</p>${forms}`) : undefined;
  };
  const seen = await observed(handler, { asUser: true, role: 'admin', writes: 'create' });
  assert.equal(sent(seen, 'POST'), ['POST /tips/add', 'POST /parts']);
});

for (const [name, handler, expected] of table)
  test(name, async () => {
    assert.equal(verdicts(await observed(handler())), expected);
  });
test('what a form has an identity keep in a cookie is not stored on the site', async () => {
  assert.equal(verdicts(await observed(sites.rememberedView(), { asUser: true })), ['POST /view reads']);
});

/** Goods under names, each with a form for its reviews. */
function reviewedGoods(): Handler {
  const reviews: string[] = [];
  const goods = ['hammer-7_8', 'hinge-8_9', 'lock-9_10'];
  return ({ path, method, body }) => {
    if (path === '/') return html(goods.map((name) => `<a href="/goods/${name}/">${name}</a>`).join(' '));
    const [, folder, name = '', part] = path.split('/');
    if (folder !== 'goods' || !goods.includes(name)) return undefined;
    if (method === 'POST' && part === 'reviews') reviews.push(`${name} ${new URLSearchParams(body).get('text')}`);
    const own = reviews.filter((each) => each.startsWith(name)).map((each) => `<li>${escapeHtml(each)}</li>`);
    return html(
      `<ul>${own.join('')}</ul><form method="post" action="/goods/${name}/reviews/add"><input name="text"></form>`,
    );
  };
}

further(test)('of a form that each of many pages has one is tried, unless entries may stay', async () => {
  const seen = await observed(reviewedGoods());
  assert.is(sent(seen, 'POST').length, 1);
  assert.is(seen.left.get('not-observed'), 2);
  assert.is(sent(await observed(reviewedGoods(), { writes: 'create' }), 'POST').length, 3);
});

test('a form is recorded before it is sent, and once more with what it did', async () => {
  const { recorded, site } = await observed(sites.guestbook());
  const sentAt = site.requests.indexOf('POST /book') + 1;
  const [before = '', after = ''] = recorded;
  assert.match(before, /^POST \/book before \d+$/);
  assert.match(after, /^POST \/book writes \d+$/);
  assert.ok(Number(before.split(' ').at(-1)) < sentAt && sentAt <= Number(after.split(' ').at(-1)));
});

further(test)('what a script of a page sends by itself is observed like a form, once', async ({ browsers }) => {
  const seen = await observed(sites.scripted(), { browsers });
  assert.equal(verdicts(seen).toSorted(), ['POST /api/echo reads', 'POST /api/words writes', 'POST /look/form reads']);
  for (const path of ['/api/echo', '/api/words', '/look/form'])
    assert.is(sent(seen, 'POST').filter((line) => line === `POST ${path}`).length, 1, path);
  assert.ok(seen.recorded.some((line) => line.startsWith('POST /api/words before')));
});

further(test)(
  'a request of a script whose only value stands in a header is tried on a test system',
  async ({ browsers }) => {
    const site: Handler = ({ path, method }) =>
      path !== '/'
        ? undefined
        : method === 'POST'
          ? html('<p>None</p>')
          : html(`<form><input></form><script>fetch('/', { method: 'POST', headers: { 'X-Colour': 'red' } })</script>`);
    assert.equal(verdicts(await observed(site, { browsers, writes: 'create' })), ['POST / reads']);
    assert.equal(verdicts(await observed(site, { browsers })), []);
  },
);

further(test)(
  'a form without a field is tried on a test system beside others of its folder that take fields',
  async () => {
    const form = (place: string, field: string) =>
      `<form method=post action=/cases/${place}>${field}<button>Go</button></form>`;
    const site: Handler = ({ path, method }) =>
      method === 'POST'
        ? html(`<p>Result of ${path}</p>`)
        : path === '/'
          ? html(`${['a', 'b', 'c'].map((place) => form(place, '<input name=word>')).join('')}${form('d', '')}`)
          : undefined;
    const places = ['a', 'b', 'c', 'd'].map((place) => `POST /cases/${place} reads`);
    assert.equal(verdicts(await observed(site, { writes: 'create' })).toSorted(), places);
    assert.not.ok(verdicts(await observed(site)).includes('POST /cases/d reads'));
  },
);

further(test)(
  'a form without a field whose page makes a cookie is tried on a test system, and no other one',
  async () => {
    const site: Handler = ({ path, method }) =>
      method === 'POST'
        ? html('<p>None</p>')
        : path === '/'
          ? html(
              `<script>document.cookie = 'taste=sweet'</script><form method=post action=/a><button>Show</button></form><a href=/b>b</a>`,
            )
          : path === '/b'
            ? html('<form method=post action=/b><button>Show</button></form>')
            : undefined;
    assert.equal(verdicts(await observed(site, { writes: 'create' })), ['POST /a reads']);
    assert.equal(verdicts(await observed(site)), []);
  },
);

test('a page that makes something as soon as it is opened is distinguished from one that only shows a form, in a session', async () => {
  const seen = await observed(sites.drafts(), { asUser: true });
  assert.equal(
    seen.making.map(({ key }) => key),
    ['GET /posts/new '],
  );
  assert.is(sent(seen, 'GET').filter((line) => line === 'GET /posts/new').length, 2);
  assert.equal((await observed(sites.drafts())).making, []);
  const byCommand = await observed(sites.drafts('/posts/?action=new'), { asUser: true });
  assert.equal(
    byCommand.making.map(({ key }) => key),
    ['GET /posts action=new'],
  );
});

test('how long ago something was shows nothing of what is sent', async () => {
  assert.equal(verdicts(await observed(sites.agedEntries())), ['POST /find reads']);
});

test('what changes because the pages around were read in turn shows nothing of what is opened or sent', async () => {
  const seen = await observed(sites.recentlyRead(), { asUser: true });
  assert.equal(
    seen.making.map(({ key }) => key),
    ['GET /posts/new '],
  );
  assert.equal(verdicts(seen), ['POST /notes/find reads']);
});

const numbered: Record<string, (id: number) => string> = {
  'in a field': (id) => `<form method="post" action="/posts"><input type="hidden" name="post_ID" value="${id}"></form>`,
  'in its script': (id) => `<script>start({"postType":"post","postId":${id},"autosave":60})</script>`,
  'in an address': (id) => `<a href="/preview?post=${id}&amp;mode=2">Preview</a>`,
};

for (const [where, shows] of firstRows(Object.entries(numbered), 1))
  test(`a page that makes what no page lists is recognised by the number that it has ${where}`, async () => {
    const seen = await observed(sites.unlistedDrafts(shows), { asUser: true });
    assert.equal(
      seen.making.map(({ key }) => key),
      ['GET /posts/new '],
    );
    assert.ok(sent(seen, 'GET').filter((line) => line === 'GET /posts/new').length <= 3);
  });

further(test)(
  'in a session, a page that may make something is opened by no browser before that is known',
  async ({ browsers }) => {
    const shows = (id: number) => `${numbered['in a field']?.(id)}<script>document.title = 'Write'</script>`;
    const seen = await observed(sites.unlistedDrafts(shows), { asUser: true, browsers });
    assert.equal(
      seen.making.map(({ key }) => key),
      ['GET /posts/new '],
    );
    assert.is(sent(seen, 'GET').filter((line) => line === 'GET /posts/new').length, 2);
  },
);

test('every form is sent once', async () => {
  for (const handler of [sites.guestbook, sites.growingList, sites.noisySearch])
    assert.is(sent(await observed(handler()), 'POST').length, 1);
});

test('of forms that differ in their command alone one is sent, and the others are counted as not observed', async () => {
  const form = (command: string) =>
    `<form method=post action="/ask"><input type=hidden name=do value=${command}><input name=words></form>`;
  const seen = await observed(({ method, path, body }) => {
    if (path === '/ask' && method === 'POST') return html(`<p>None for ${new URLSearchParams(body).get('words')}</p>`);
    return path === '/' ? html(form('plain') + form('full') + form('wide')) : undefined;
  });
  assert.equal([sent(seen, 'POST'), [...seen.left]], [['POST /ask'], [['not-observed', 2]]]);
});

test('on a test system four of them are sent, also of those that differ in the place alone', async () => {
  const forms = ['plain', 'full', 'wide', 'long', 'flat'].map(
    (tool) => `<form method=post action="/ask?tool=${tool}"><input name=words></form>`,
  );
  const handler: Handler = ({ method, path, body }) => {
    if (method === 'POST') return html(`<p>None for ${new URLSearchParams(body).get('words')}</p>`);
    return path === '/' ? html(forms.join('')) : undefined;
  };
  const seen = await observed(handler, { writes: 'create' });
  assert.equal([sent(seen, 'POST').length, [...seen.left]], [4, [['not-observed', 1]]]);
});

further(test)('nothing is known to read when the budget does not last for the look a little later', async () => {
  const whole = await observed(sites.calculator());
  assert.equal(verdicts(whole), ['POST /sum reads']);
  const short = await observed(sites.calculator(), { maxRequests: whole.requests - 1 });
  assert.equal(verdicts(short), ['POST /sum unknown']);
});

test('a contact form is never sent', async () => {
  const seen = await observed(sites.contact());
  assert.equal([sent(seen, 'POST'), [...seen.left]], [[], [['message', 1]]]);
});

test('where entries may stay, what has no free field or shows what it keeps is sent as it stands', async () => {
  const fixed = (method: string, path: string): Answer =>
    method === 'POST' && path === '/fetch'
      ? html('<p>pump</p>')
      : html(
          '<form method="post" action="/fetch"><input type="hidden" name="file" value="pump.txt"><button>Go</button></form>' +
            '<form method="post" action="/look"><input name="host" value="127.0.0.1"><button>Go</button></form>',
        );
  const handler: Handler = ({ method, path }) => (/^\/(?:fetch|look)?$/.test(path) ? fixed(method, path) : undefined);
  const [open, closed] = [await observed(handler, { writes: 'create' }), await observed(handler)];
  assert.equal(
    sent(open, 'POST')
      .map((each) => each.split(' ')[1])
      .toSorted(),
    ['/fetch', '/look'],
  );
  assert.equal(open.recorded.length, 4);
  assert.equal(sent(closed, 'POST'), []);
});

further(test)('a form that shows what it keeps is left alone', async () => {
  const seen = await observed(sites.profile());
  assert.equal([sent(seen, 'POST'), [...seen.left]], [[], [['keeps-what-it-shows', 1]]]);
});

further(test)('an entry that is there is left alone, and on a test system sent at last', async () => {
  const edit = (id: number, name: string) =>
    `<form method="post" action="/goods"><input type="hidden" name="id" value="${id}"><input name="name" value="${name}"><button>Save</button></form>`;
  const shelf =
    (...entries: string[]): Handler =>
    ({ path }) =>
      /^\/(?:goods)?$/.test(path) ? html(entries.join('')) : undefined;
  const others = shelf(edit(1, 'Steel lamp'), edit(2, 'Oak table'));
  const isSent = async (handler: Handler, given: Given) => sent(await observed(handler, given), 'POST').length > 0;
  assert.equal(
    [
      await isSent(others, {}),
      await isSent(others, { writes: 'create' }),
      await isSent(others, { writes: 'create', changesOthers: true }),
    ],
    [false, false, true],
  );
});

test('what a user’s own form keeps is put back, and its page is read again', async () => {
  const { handler, kept } = sites.ownEntries();
  const seen = await observed(handler, { asUser: true });
  assert.equal(verdicts(seen), ['POST /me writes']);
  assert.is(seen.observed[0]?.isPutBack, true);
  assert.equal(kept, { scale: 'metric', motto: '', nick: '' });
});

further(test)('a form that keeps a name and sends a text is not sent again', async () => {
  const { handler, lines } = sites.ownEntries(true);
  const seen = await observed(handler, { asUser: true });
  assert.equal([lines.length, seen.observed[0]?.isPutBack], [1, undefined]);
});

test('a choice about payments, roles, votes, settings or automatic actions, and one that saves or imports something, is not tried', async () => {
  const seen = await observed(sites.weighty());
  const left = { 'no-free-field': 6, 'would-act': 1 };
  assert.equal([sent(seen, 'POST'), Object.fromEntries(seen.left)], [[], left]);
});

test('nothing unknown is sent in a standard scan, nor where nothing may be written', async () => {
  for (const given of [{ depth: 'standard' }, { writes: 'none' }] as const) {
    const seen = await observed(sites.guestbook(), given);
    assert.equal([sent(seen, 'POST'), [...seen.left]], [[], [['not-observed', 1]]]);
  }
});

further(test)(
  'pages around searches are read once for all of them, and a form that is known opens no page',
  async () => {
    const kinds = ['books', 'films', 'songs', 'games', 'maps', 'plays'];
    const search = (kind: string, order: string) =>
      `<form action="/${kind}/find"><input type="hidden" name="order" value="${order}"><input type="search" name="q"></form>`;
    const { site, observed: forms } = await observed(({ path, query }) => {
      if (path === '/') return html(kinds.map((kind) => `<a href="/${kind}">${kind}</a>`).join(''));
      const kind = path.split('/')[1] ?? '';
      if (!kinds.includes(kind)) return undefined;
      const shown = path.endsWith('/find') ? `<p>Nothing for ${escapeHtml(query.get('q') ?? '')}</p>` : '';
      return html(`<h1>${kind}</h1>${shown}${search(kind, 'up')}${search(kind, 'down')}<a href="/">Home</a>`);
    });
    assert.is(forms.filter(({ verdict }) => verdict === 'reads').length, kinds.length);
    const asked = (target: string) => site.requests.filter((request) => request === `GET ${target}`).length;
    assert.ok(asked('/') <= 6, `${asked('/')}`);
    assert.ok(
      kinds.every((kind) => asked(`/${kind}`) <= 6),
      `${kinds.map((kind) => asked(`/${kind}`))}`,
    );
  },
);

further(test)('a search of a standard scan is looked for where it could turn up, and recorded only then', async () => {
  const kept = await observed(sites.recentSearches(), { depth: 'standard' });
  assert.equal(verdicts(kept), ['GET /search writes']);
  assert.match(kept.recorded.join(), /^GET \/search writes \d+$/);
});

/** A request that a page's script sends. */
const scripted = (url: string, body: Record<string, unknown>): InputSurface[] =>
  Object.entries(body).map(([name, value]) => ({
    ...{ method: 'POST', url, route: url, parameter: name, in: 'body', sample: String(value), others: [] },
    ...{ contentType: 'application/json', json: { body: JSON.stringify(body), pointer: `/${name}` } },
  }));

const jsonSite = (answer: (body: string, kept: string[]) => Answer): Handler => {
  const kept = ['seed'];
  return ({ method, path, body }) => {
    if (path === '/api/things') return method === 'POST' ? answer(body, kept) : json({ things: kept });
    return path === '/' ? html('<a href="/api/things">Data</a>') : undefined;
  };
};

further(test)('a JSON interface that stores writes, and one that computes reads', async () => {
  const storing = jsonSite((body, kept) => {
    kept.push(JSON.parse(body).text);
    return json({ ok: true });
  });
  const computing = jsonSite((body) => json({ length: JSON.parse(body).text.length }));
  const silent = jsonSite(() => json({ ok: true, id: 7 }));
  const created = jsonSite(() => json({}, 201));
  const named = jsonSite((body) => json({ data: { id: 71, ...JSON.parse(body) } }));
  const inputs = scripted('/api/things', { text: 'hello', size: 3 });
  const answering = [storing, computing, silent, created, named];
  const seen = await Promise.all(answering.map((handler) => observed(handler, { inputs })));
  assert.equal(
    seen.map((each) => verdicts(each).join()),
    ['writes', 'reads', 'unknown', 'writes', 'writes'].map((each) => `POST /api/things ${each}`),
  );
});

further(test)(
  'an entry that a script names and gives back as it stands is left alone, on a test system, too',
  async () => {
    const storing = jsonSite((body, kept) => {
      kept[0] = JSON.parse(body).name;
      return json({ ok: true });
    });
    const sentOf = async (body: Record<string, unknown>) => {
      const inputs = scripted('/api/things', body).map((input) => ({
        ...input,
        page: { url: 'http://shop.localhost/', tokens: [] },
      }));
      return sent(await observed(storing, { inputs, writes: 'create' }), 'POST').filter((each) =>
        each.endsWith('/things'),
      );
    };
    assert.equal(await sentOf({ id: 5, name: 'Oak Table', place: 'Hall' }), []);
    assert.equal(
      await sentOf({ id: 5, name: 'test', place: '' }),
      ['POST /api/things'],
      'what is typed into an empty form',
    );
    assert.equal(await sentOf({ page: 5, sort: 'name' }), ['POST /api/things'], 'what turns pages');
  },
);

test('a request that the site refuses by its status, and that shows nowhere, had no effect', async () => {
  for (const [status, hadNoEffect] of [
    [403, true],
    [500, undefined],
  ] as const) {
    const result = await observed(({ method, path }) => {
      if (method === 'POST') return html('<p>-1</p>', status);
      return path === '/'
        ? html('<form method="post" action="/tick"><input name="interval"><button>OK</button></form>')
        : undefined;
    });
    assert.equal(
      result.observed.map((each) => [each.verdict, each.hadNoEffect]),
      [['unknown', hadNoEffect]],
    );
  }
});

test('a form that asks for a text by GET and shows nothing of it had no effect, unless it says that it keeps the text', async () => {
  for (const [field, hadNoEffect] of [
    ['<input name="ref" placeholder="Number of the pilot">', true],
    ['<input name="ref" placeholder="Number"><input type="hidden" name="action" value="save">', undefined],
  ] as const) {
    const result = await observed(({ path }) =>
      path === '/'
        ? html(`<form action="/pilots">${field}<button>OK</button></form>`)
        : path.startsWith('/pilots')
          ? { status: 303, headers: { location: '/' }, body: '' }
          : undefined,
    );
    assert.equal(
      result.observed.map((each) => [each.verdict, each.hadNoEffect]),
      [['unknown', hadNoEffect]],
    );
  }
});

test('the page of a form that only asks is opened for it where it has a hidden field alone', async () => {
  const opened = async (field: string) => {
    const form = `<form action="/find"><input name="q">${field}<button>Find</button></form>`;
    const { site, observed: all } = await observed(({ path }) => html(path === '/find' ? '<p>None</p>' : form));
    assert.is(all.length, 1);
    return site.requests.filter((line) => line === 'GET /').length;
  };
  assert.is((await opened('<input type="hidden" name="in" value="all">')) - (await opened('')), 1);
});

further(test)('what is shut to a visitor is distinguished from what nothing shows of', async () => {
  let refusal: Answer;
  const shut: Handler = ({ path, method, headers, body }) => {
    if (path !== '/ask') return html('<form method="post" action="/ask"><input name="thing"></form>');
    if (method !== 'POST') return undefined;
    return headers.authorization ? html(`<p>None for ${new URLSearchParams(body).get('thing')}</p>`) : refusal;
  };
  const verdicts = ({ observed: all }: Seen) => all.map(({ verdict, isShut = false }) => [verdict, isShut]);
  for (refusal of [
    json({}, 401),
    json({ errors: [{ message: 'No', extensions: { code: 'UNAUTHENTICATED' } }], data: null }),
    json({ errors: [{ message: 'Sign in first', path: ['find'] }], data: { find: null } }),
    json({ success: false, message: 'You are not logged in' }),
  ])
    assert.equal(verdicts(await observed(shut)), [['unknown', true]], String(refusal.body));
  for (refusal of [
    json({ errors: [{ message: 'No such thing' }], data: null }),
    json({ data: { help: 'Please log in to order' } }),
  ])
    assert.is((await observed(shut)).observed[0]?.isShut, undefined, String(refusal.body));
  assert.equal(verdicts(await observed(shut, { asUser: true })), [['reads', false]]);
});

further(test)('a name and a secret of nobody are refused by an entrance, which is shut to nobody', async () => {
  const refusing =
    (status: number): Handler =>
    ({ method }) =>
      method === 'POST' ? json({ ok: false }, status) : html('<p>Dive</p>');
  const seen = async (status: number, body: Record<string, unknown>) => {
    const inputs = scripted('/api/dive', body);
    const { observed: all } = await observed(refusing(status), { inputs, writes: 'create' });
    return all.map(({ verdict, isShut = false }) => [verdict, isShut]);
  };
  for (const status of [401, 403])
    assert.equal(await seen(status, { nick: 'test', pass: 'Audit-pass-1' }), [['unknown', false]]);
  assert.equal(await seen(401, { badge: 'test', phrase: 'Audit-pass-1' }), [['unknown', false]]);
  assert.equal(await seen(401, { badge: 'test', place: 'test' }), [['unknown', true]]);
});

test('forms that differ in what they carry along alone count together on all pages that they lead to', async () => {
  const list: Handler = ({ path }) =>
    path === '/'
      ? html(
          ['sort', 'group']
            .map((name) => `<form action=/tasks><input type=hidden name=${name} value=7><input name=label></form>`)
            .join(''),
        )
      : html('<p>No tasks</p>');
  const carried = createCarriedQueries();
  const first = await observed(list, { carried });
  const further = await observed(list, { carried });
  const asked = (seen: Seen) => sent(seen, 'GET').filter((path) => path.startsWith('/tasks?')).length;
  assert.equal([first.observed.length, further.observed.length], [2, 1], `${asked(first)}, ${asked(further)}`);
});

test.run();
