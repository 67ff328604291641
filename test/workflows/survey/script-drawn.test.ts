import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { survey } from '../../../workflows/survey/crawler.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { firstRows, further } from '../../support/further.ts';
import { httpTarget } from '../probe/support.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';
import { openTestProbes } from '../support/checks.ts';

const browsers = testBrowsers();
const test = suite('an application that script draws');
test.after(() => browsers.close());

/** One HTML for every address; its script asks for what the address is about. */
const application =
  (script: string): Site =>
  (path) => {
    if (path.startsWith('/api/')) return { type: 'application/json', body: '{}' };
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 };
    return `<title>Shop</title><div id=app></div><script>const app = document.getElementById('app');${script}</script>`;
  };

/** What the script asked for in the browser. */
const askedBy = async (script: string) => {
  const { asked, calls, omitted } = await surveyOf(application(script), { observes: true }, { browsers });
  const paths = calls.map(({ url, pageUrl }) => (url === pageUrl ? '' : new URL(url).pathname));
  return { asked: [...new Set(paths)].filter((path) => path.startsWith('/api/')).sort(), all: asked, omitted };
};

const views = firstRows(['start', 'goods', 'offers', 'people', 'places', 'terms', 'prices'], 4);

further(test)('is used at each of its routes, though all have one HTML', async () => {
  const { asked } = await askedBy(`
    const name = location.pathname.slice(1) || 'start';
    app.innerHTML = '<nav>' + ${JSON.stringify(views)}.map((view) => '<a href=/' + view + '>' + view + '</a>').join('') + '</nav><section class=' + name + '></section>';
    fetch('/api/' + name)`);
  assert.equal(asked, views.map((view) => `/api/${view}`).sort());
});

further(test)('is used in the tabs of a form that a button opens which may send something', async () => {
  const { asked } = await askedBy(`
    app.innerHTML = '<button id=open>Join</button><div id=sheet></div>';
    const views = { session: 'Log in', members: 'Become one' };
    const show = (view) => {
      sheet.innerHTML = Object.entries(views).map(([name, label]) => '<button role=tab id=' + name + '>' + label + '</button>').join('') +
        '<input name=who><input name=word type=password><button class=go>' + (view === 'members' ? 'Join the club' : 'Log in') + '</button>';
      for (const name of Object.keys(views)) document.getElementById(name).onclick = () => show(name);
      sheet.querySelector('.go').onclick = () =>
        fetch('/api/' + view + '/' + sheet.querySelector('[name=who]').value, { method: 'POST' });
    };
    document.getElementById('open').onclick = () => show('session')`);
  assert.equal(asked, ['/api/members/test', '/api/session/test']);
});

further(test)('is used at routes behind "#" that a menu opens', async () => {
  const { asked } = await askedBy(`
    if (location.hash === '') history.replaceState({}, '', '#/start');
    const draw = () => {
      const name = location.hash.slice(2);
      app.innerHTML = '<button aria-haspopup=menu>Menu</button><ul></ul><section class=' + name + '></section>';
      app.querySelector('button').onclick = () => {
        for (const view of ${JSON.stringify(views.slice(1))}) {
          const item = document.createElement('li');
          item.textContent = view;
          item.onclick = () => { history.pushState({}, '', '#/' + view); draw(); };
          app.querySelector('ul').append(item);
        }
      };
      fetch('/api/' + name);
    };
    draw()`);
  assert.equal(asked, views.map((view) => `/api/${view}`).sort());
});

further(test)('is used at routes behind "#" that only its table has', async () => {
  const { asked } = await askedBy(`
    const table = [{ path: '/start', component: 1 }, { path: '/plan', component: 2, children: [{ path: 'late', component: 3 }] }];
    if (location.hash === '') history.replaceState({}, '', '#/start');
    const name = location.hash.slice(2).replace('/', '-');
    app.innerHTML = '<a href="#/start">Start</a><section class=' + name + '></section>';
    if (table.length) fetch('/api/' + name)`);
  assert.equal(asked, ['/api/plan', '/api/plan-late', '/api/start']);
});

further(test)(
  'has a file and a field that script sends taken up as a form, and a widget opened by its marks',
  async () => {
    const { forms, asked } = await surveyOf(
      application(`
      app.innerHTML = '<input type=file><div data-bs-toggle=modal></div>';
      app.firstChild.onchange = ({ target }) => {
        const [search, check] = [new FormData(), new FormData()];
        search.append('mode', 'dry');
        check.append('sheet', target.files[0]);
        check.append('mode', 'dry');
        fetch('/api/check', { method: 'POST', body: check });
        fetch('/api/search', { method: 'POST', body: search });
      };
      app.lastChild.onclick = () => fetch('/api/modal')`),
      { observes: true },
      { browsers },
    );
    assert.equal(
      forms.map(({ action, fields }) => [
        new URL(action).pathname,
        ...fields.map(({ name, type }) => `${name} ${type}`),
      ]),
      [
        ['/api/check', 'sheet file', 'mode text'],
        ['/api/search', 'mode text'],
      ],
    );
    assert.ok(asked.includes('GET /api/modal'));
    assert.not(asked.some((line) => line === 'POST /api/check'));
    assert.ok(asked.includes('POST /api/search'), 'what only reads is let through');
  },
);

further(test)(
  'has the fields of a form known for where its script sends them, and for its own address only where it asks that',
  async () => {
    const site =
      (script: string): Site =>
      (path) =>
        path === '/'
          ? `<form id=f action=/list><input name=word><button>Find</button></form><script>f.onsubmit = (event) => { event.preventDefault(); ${script} }</script>`
          : {
              status: path === '/robots.txt' || path === '/sitemap.xml' ? 404 : 200,
              type: 'application/json',
              body: '{}',
            };
    const inputsOf = async (script: string) => {
      const { inputs, forms } = await surveyOf(site(script), { observes: true }, { browsers });
      const places = inputs.map(({ url, parameter }) => `${new URL(url).pathname} ${parameter}`);
      return { inputs: [...new Set(places)].sort(), forms: forms.map(({ action }) => new URL(action).pathname) };
    };
    const elsewhere = await inputsOf("fetch('/api/find?term=' + encodeURIComponent(f.word.value))");
    assert.equal(elsewhere, { inputs: ['/api/find term'], forms: [] });
    const here = await inputsOf("fetch('/list?word=' + encodeURIComponent(f.word.value))");
    assert.equal(here, { inputs: ['/list word'], forms: ['/list'] });
    const onlyRefused = await inputsOf("f.word.value = ''");
    assert.equal(onlyRefused, { inputs: ['/list word'], forms: ['/list'] });
  },
);

further(test)(
  'has the fields of a form whose script sends them elsewhere known for no other address that shows its page',
  async () => {
    const site =
      (script: string): Site =>
      (path) =>
        path === '/robots.txt' || path === '/sitemap.xml'
          ? { status: 404 }
          : path.startsWith('/api/')
            ? { type: 'application/json', body: '{}' }
            : `<form id=f><input name=word><button>Find</button></form><a href=/late>x</a>
             <script>const later = ['/bold', '/thin']; f.onsubmit = (event) => { event.preventDefault(); ${script} }</script>`;
    const placesOf = async (script: string) => {
      const { inputs, forms } = await surveyOf(site(script), { observes: true }, { browsers });
      const own = inputs.filter(({ parameter }) => parameter === 'word');
      return [
        ...new Set([...own, ...forms.map(({ action }) => ({ url: action }))].map(({ url }) => new URL(url).pathname)),
      ];
    };
    const elsewhere = await placesOf(
      "fetch('/api/find', { method: 'POST', body: JSON.stringify({ word: f.word.value }) })",
    );
    assert.equal(
      elsewhere.filter((path) => /late|bold|thin/.test(path)),
      [],
    );
    assert.ok((await placesOf("location.search = '?word=' + f.word.value")).includes('/'));
  },
);

further(test)('is left soon when it shows the same at every address', async () => {
  const links = Array.from(
    { length: 40 },
    (_, index) => `<a href=/${'abcdefgh'[index % 8]}${'klmno'[index % 5]}>x</a>`,
  );
  const { all, omitted } = await askedBy(`app.innerHTML = '${links.join('')}'; fetch('/api/same')`);
  const used = all.filter((line) => line === 'GET /api/same').length;
  assert.ok(used < 15, String(used));
  assert.ok(omitted.some(({ code }) => code === 'alike'));
});

further(test)('is used at all routes of its table, though most show nobody but the login', async () => {
  const routes = Array.from({ length: 9 }, (_, index) => `/own${'abcdefghi'[index]}`);
  const table = [...routes, '/help'].map((path) => `{ path: '${path}', component: 1 }`);
  const { asked } = await askedBy(`
    const table = [${table}];
    if (location.pathname.startsWith('/own')) history.replaceState({}, '', '/login');
    app.innerHTML = '<section class=' + location.pathname.slice(1) + '></section>';
    if (location.pathname === '/help') fetch('/api/help')`);
  assert.equal(asked, ['/api/help']);
});

const client = (base: string) => `
  const http = { get: (path) => fetch('/api' + path) }; const made = { baseURL: ${base} };
  if (false) { http.get('/bills'); http.get('/bills/' + id + '/lines'); http.get('/late'); made.delete('/late/' + id); }`;
test('has calls asked for with what its client puts before them, and never without', async () => {
  const { asked } = await surveyOf(application(client("'/api'")));
  const paths = asked.filter((line) => /^GET [^?]*(?:bills|late)[^?]*$/.test(line)).sort();
  assert.equal(paths, ['GET /api/bills', 'GET /api/bills/1', 'GET /api/bills/1/lines', 'GET /api/late']);
  const { asked: plain } = await surveyOf(application(client('undefined')));
  assert.ok(plain.includes('GET /bills'));
});

test('has what it asks for whenever it is loaded known as read, whatever was pressed before that', async () => {
  let loads = 0;
  const button = (label: string) => `<button onclick="body.innerHTML = '${label}'">${label}</button>`;
  const { skipped, inputs } = await surveyOf(
    (path) =>
      path === '/'
        ? `<body id=body>${button('Delete')}${button('Book')}<script>fetch('/stock?at=${++loads}&of=' + 'shop')</script>`
        : '<p>x</p>',
    { observes: true },
    { browsers },
  );
  assert.ok(loads > 2, `${loads}`);
  assert.ok(inputs.some(({ parameter }) => parameter === 'of'));
  assert.not.ok(skipped.some(({ url }) => url.includes('/stock')));
});

further(test)('has its pages known without what its router adds for its cache', async () => {
  const { pages, inputs } = await surveyOf(
    application(`
      app.innerHTML = '<p></p>';
      const headers = { rsc: '1', 'next-url': '/', 'x-tenant': 'a' };
      fetch(['/__mani', 'fest?p=%2Fgoods&p=%2Fcart&version=1a2b'].join(''));
      fetch('/goods?_rsc=' + Math.random().toString(36).slice(2) + '&page=2', { headers })`),
    { observes: true },
    { browsers },
  );
  const shown = [...pages, ...inputs].map(({ url }) => url.replace(/^.*?\/\/[^/]*/, ''));
  assert.ok(shown.includes('/goods?page=2'));
  assert.not.ok(shown.some((url) => /_rsc|__manifest/.test(url)));
  const sent = inputs.filter((input) => input.in === 'header').map(({ parameter }) => parameter);
  assert.ok(sent.includes('x-tenant'), String(sent));
  assert.not.ok(sent.some((name) => /^(?:rsc|next-url)$/.test(name)));
});

test('has no page and no input where its script waits for messages, and one limit for that', async () => {
  const { pages, inputs, skipped } = await surveyOf(
    application(`
      app.innerHTML = '<p></p>';
      const live = ['/li', 've/'].join('') + (100 + Math.floor(900 * Math.random())) + '/' + Math.random().toString(36).slice(2, 10);
      fetch([live, 'xhr'].join('/'), { method: 'POST' }).catch(() => {});
      fetch([live, 'jsonp?c=_jp.a'].join('/')).catch(() => {});
      fetch('/goods?page=2')`),
    { observes: true },
    { browsers },
  );
  const shown = [...pages, ...inputs].map(({ url }) => url.replace(/^.*?\/\/[^/]*/, ''));
  assert.ok(shown.includes('/goods?page=2'));
  assert.not.ok(shown.some((url) => url.startsWith('/live/')));
  const left = skipped.filter(({ code }) => code === 'websocket').map(({ url }) => new URL(url).pathname);
  assert.equal(left, ['/live/']);
});

for (const [library, handlers] of firstRows(
  [
    ['Svelte', "{ [Symbol('events')]: { click: go } }"],
    ['Solid', '{ $$click: go }'],
    ['script', '{ onclick: go }'],
  ] as const,
  1,
))
  test(`has its controls used by the handlers that ${library} keeps`, async () => {
    const { asked } = await askedBy(`
      app.innerHTML = '<article>Lamp</article>';
      const go = () => fetch('/api/lamp');
      Object.assign(app.firstChild, ${handlers});
      app.onclick = ({ target }) => {
        const held = Object.getOwnPropertySymbols(target).map((key) => target[key].click)[0] ?? target.$$click;
        held?.();
      }`);
    assert.equal(asked, ['/api/lamp']);
  });

for (const [what, script, storage] of [
  [
    'keeps who is logged in',
    `const isIn = localStorage.token !== undefined;
     app.innerHTML = isIn ? '<a href="#/mine">Mine</a>' : '<a href="#/in">In</a>';
     if (isIn) fetch('/api/mine')`,
    { token: 'abcdefgh-1' },
  ],
  [
    'asks who is logged in',
    `fetch('/api/who').then((answer) => answer.json()).then(({ name }) => {
      app.innerHTML = '<nav><ul><li><b></b></li></ul></nav><section><article><p><em></em></p></article></section><footer></footer>';
      if (name) fetch('/api/mine');
    })`,
    {},
  ],
] as const)
  further(test)(`whose script ${what} is used as a user, too, when a visitor has used it`, async () => {
    const isMine = ({ url }: { url: string }) => url.endsWith('/api/mine');
    const site = await startSite(({ path, headers }) => {
      if (path === '/') return html(String(application(script)('/', new URL('http://site/'), {})));
      const isKnown = headers.authorization === 'Bearer abcdefgh-1';
      if (path === '/api/who')
        return { headers: { 'content-type': 'application/json' }, body: isKnown ? '{"name":"ada"}' : '{}' };
      return undefined;
    });
    const signal = new AbortController().signal;
    const probes = openTestProbes(site.url, signal, browsers);
    const common = { probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], observes: true, signal };
    try {
      const anonymous = await survey(common);
      assert.not.ok(anonymous.calls.some(isMine));
      const identity = {
        ...{ name: 'ada', role: 'user', checkUrl: `${site.url}/api/who`, marker: 'ada' },
        ...{ jar: probes.http.newJar(), headers: [['authorization', 'Bearer abcdefgh-1']] as [string, string][] },
        storage: { [site.url]: { local: { ...storage }, session: {} } },
      };
      const { calls } = await survey({ ...common, identity, explored: anonymous.explored });
      assert.ok(calls.some(isMine));
    } finally {
      await probes.close();
      await site.close();
    }
  });

further(test)('is pressed again only when it has its answer, where it takes no press before that', async () => {
  const script = `
    let busy = false;
    app.innerHTML = ['late', 'next', 'last'].map((name) => '<button>' + name + '</button>').join('');
    for (const button of app.children) button.onclick = async () => {
      if (busy) return;
      busy = true;
      await (await fetch('/api/' + button.textContent)).json();
      busy = false;
    }`;
  const asked: string[] = [];
  const site = await httpTarget(async ({ url: path = '/' }, response) => {
    if (path === '/')
      return void response
        .setHeader('content-type', 'text/html')
        .end(String(application(script)('/', new URL('http://site/'), {})));
    if (!path.startsWith('/api/')) return void response.writeHead(404).end();
    asked.push(path);
    await new Promise((resolve) => setTimeout(resolve, 120));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const signal = new AbortController().signal;
  const probes = openTestProbes(site.url, signal, browsers);
  try {
    await survey({ ...{ probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], signal }, observes: true });
    for (const name of ['late', 'next', 'last']) assert.ok(asked.includes(`/api/${name}`), name);
  } finally {
    await probes.close();
    await site.close();
  }
});

test('a page that the server shows at every address below leads nowhere else in the browser', async () => {
  const links = ['goods', 'people', 'places', 'terms', 'prices']
    .map((name) => `<a href="${name}/">${name}</a>`)
    .join(' ');
  const { pages } = await surveyOf(
    (path) => {
      if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 };
      if (/^\/(?:goods|people|places|terms|prices)\/$/.test(path))
        return `<h1>${path}</h1><p>See /old/stock/list for more</p>`;
      return `<title>Shop</title>${links}<a href="/old/stock/list">Old list</a><script>document.title = 'Shop of ' + links.length;</script>`;
    },
    { observes: true },
    { browsers },
  );
  const paths = pages.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/old/'));
  assert.equal(paths, ['/old/stock/list']);
});

/** A list that is filtered as soon as a word is typed, and a dialog whose answer names what was made. */
const listOf = (link: string): string => `
  const [, view, id] = location.pathname.split('/');
  const rows = (word) => {
    const list = document.querySelector('ul');
    list.innerHTML = '';
    for (const each of word === '' ? [7, 8, 9] : []) {
      const row = document.createElement('li');
      row.textContent = 'Board ' + each;
      row.onclick = () => { location.href = '/boards/' + each; };
      list.append(row);
    }
  };
  if (id) {
    app.innerHTML = '<h1>Board</h1><button>Delete</button>';
    app.querySelector('button').onclick = () => { if (confirm('Sure?')) fetch('/api/gone/' + id, { method: 'DELETE' }); };
    fetch('/api/boards/' + id);
  } else {
    app.innerHTML = '<input placeholder=Filter><ul></ul><input name=name value=x><button>Create</button>${link}';
    app.firstChild.oninput = ({ target }) => rows(target.value);
    app.querySelector('button').onclick = () => fetch('/api/boards', { method: 'POST', body: '{"name":"x"}' })
      .then((answer) => answer.json().catch(() => ({})))
      .then(({ id }) => { history.pushState({}, '', '/boards/' + id); });
    rows('');
  }`;

further(test)('is used before its fields are filled in: a filter empties the list that it is for', async () => {
  const { asked, all } = await askedBy(listOf(''));
  assert.ok(asked.includes('/api/boards'));
  assert.ok(asked.includes('/api/boards/7'));
  // The question before it is answered where nothing leaves the browser.
  assert.ok(asked.includes('/api/gone/7'));
  assert.not(all.includes('DELETE /api/gone/7'));
  assert.not(all.some((path) => path.includes('undefined')));
});

test.run();
