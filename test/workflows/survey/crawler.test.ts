import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Identity } from '../../../workflows/model/identity.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { codeOf, httpsTarget, httpTarget, openFor } from '../probe/support.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const none = { status: 404, body: '' };
const paths = (surface: Surface) => surface.pages.map(({ url }) => url.replace(/^https?:\/\/[^/]+/, '')).sort();
const crawler = suite('the crawler');

crawler('takes no forms from the page that a site gives for a file that it lacks', async () => {
  const { forms } = await surveyOf(() => '<form method="post"><input name="host"><button>Ask</button></form>');
  assert.equal(
    forms.map(({ action }) => new URL(action).pathname),
    ['/'],
  );
});

crawler('finds pages behind links, frames, refreshes, redirects, scripts, JSON, robots.txt and sitemaps', async () => {
  const pages: Record<string, ReturnType<Site>> = {
    '/': '<a href="linked"></a><iframe src=/framed></iframe><meta http-equiv=refresh content="0; url=/refreshed"><a href=/moved>x</a><script src=/app.js></script>',
    '/moved': { status: 302, location: '/moved-to' },
    '/app.js': { type: 'text/javascript', body: 'fetch("/api/list"); fetch("/api/" + id)' },
    '/api/list': {
      type: 'application/json',
      body: '{"items":[{"href":"/api/items/1"},{"deep":["/from-json"]}],"n":"not/a/path"}',
    },
    '/robots.txt': {
      type: 'text/plain',
      body: 'User-agent: *\nDisallow: /hidden\nDisallow: /*.php$\nSitemap: /map.xml',
    },
    '/map.xml': { type: 'application/xml', body: '<urlset><url><loc>/mapped?a=1&amp;b=2</loc></url></urlset>' },
  };
  const known = new Set([
    '/linked',
    '/framed',
    '/refreshed',
    '/moved-to',
    '/api/items/1',
    '/from-json',
    '/hidden',
    '/mapped',
  ]);
  const surface = await surveyOf((path) => pages[path] ?? (known.has(path) ? 'page' : none));
  const found = paths(surface);
  for (const path of [...known, ...Object.keys(pages)])
    assert.ok(
      found.some((page) => page.split('?')[0] === path),
      `${path} in ${found.join(' ')}`,
    );
  assert.ok(found.includes('/mapped?a=1&b=2'));
});

crawler(
  'looks at an overview that the menu leads to, though another control that leads there says that it acts',
  async () => {
    const counting = `onclick="ga('send', 'event', 'menu', 'delete')"`;
    const menu = `<nav><a href=/admin/users>Users</a><a href=/admin/reports ${counting}>Reports</a><a href=/x/5>Note</a></nav>`;
    const controls =
      '<a href=/admin/users>Cancel</a><a href=/admin/bans>Cancel</a><a href=/x/5>Delete</a><a href=/cache/clear>Clear</a>';
    const surface = await surveyOf((path) => (path === '/' ? controls + menu : path.includes('.') ? none : 'page'));
    const found = paths(surface);
    assert.equal(
      ['/admin/users', '/admin/reports', '/admin/bans', '/x/5', '/cache/clear'].filter((path) => found.includes(path)),
      ['/admin/users', '/admin/reports'],
    );
    const refused = ({ code }: { code: string }) => code === 'would-act' || code === 'refused-before';
    const left = surface.skipped.filter(refused).map(({ url }) => new URL(url).pathname);
    assert.equal(left.toSorted(), ['/admin/bans', '/cache/clear', '/x/5']);
  },
);

crawler('follows links of Markdown that script makes pages of', async () => {
  const text =
    '<pre id="text">* [Search](/app/search)\n* [Away](/go?to=) and [not](/ this)</pre><script src="/md.js"></script>';
  const surface = await surveyOf((path) =>
    path === '/' ? text : ['/app/search', '/go'].includes(path) ? `<p>${path}</p>` : none,
  );
  for (const path of ['/app/search', '/go?to=']) assert.ok(paths(surface).includes(path), path);
  assert.ok(surface.inputs.some(({ parameter }) => parameter === 'to'));
});

crawler('resolves links against the first base element', async () => {
  const surface = await surveyOf((path) =>
    path === '/' ? '<base href="/deep/"><base href="/wrong/"><a href="page">x</a><a href="../up">x</a>' : 'page',
  );
  assert.ok(paths(surface).includes('/deep/page'));
  assert.ok(paths(surface).includes('/up'));
  assert.not.ok(paths(surface).includes('/wrong/page'));
});

crawler('reads forms with their fields, and submits none but harmless GET forms', async () => {
  const surface = await surveyOf((path) =>
    path === '/'
      ? `<form action=/search><input name=q value=cat><select name=sort><option value=up><option value=down selected></select></form>
         <form id=f method=post action=/save enctype=multipart/form-data><input type=hidden name=token value=t><textarea name=note>hi</textarea><input type=file name=doc></form>
         <input name=outside form=f><form method=post action=http://other.localhost/x><input name=y></form>`
      : 'page',
  );
  assert.equal(
    surface.forms.map(({ method, action, enctype, fields }) => [
      method,
      new URL(action).pathname,
      enctype,
      fields.map(({ name, value }) => `${name}=${value}`),
    ]),
    [
      ['GET', '/search', 'application/x-www-form-urlencoded', ['q=cat', 'sort=down']],
      ['POST', '/save', 'multipart/form-data', ['token=t', 'note=hi', 'doc=', 'outside=']],
    ],
  );
  assert.ok(surface.asked.includes('GET /search?q=cat&sort=down'));
  assert.not.ok(surface.asked.some((line) => line.startsWith('POST') || line.includes('/save')));
});

crawler('submits no GET form whose button says that it does something', async () => {
  const surface = await surveyOf((path) =>
    path === '/'
      ? `<form action=/item/7><input type=hidden name=v value=1><button>Delete</button></form>
         <form action=/find><input name=q value=cat><button>Find</button><button type=Reset>Reset</button>
           <button type=button name=more>Remove filter</button></form>`
      : 'page',
  );
  assert.ok(surface.asked.includes('GET /find?q=cat'));
  assert.not.ok(surface.asked.some((line) => line.includes('/item/7')));
});

crawler('lists each input once for its method, route and parameter, with a value that the site uses', async () => {
  const surface = await surveyOf((path) =>
    path === '/'
      ? '<a href="/items/1?color=">x</a><a href="/items/2?color=red&size=9">x</a><form method=post action=/items/2><input name=color value=b></form>'
      : 'page',
  );
  const lines = surface.inputs.map(
    (input) => `${input.method} ${input.route} ${input.in} ${input.parameter}=${input.sample}`,
  );
  assert.equal(lines.sort(), [
    'GET /items/{id} path 2=1',
    'GET /items/{id} query color=red',
    'GET /items/{id} query size=9',
    'POST /items/{id} body color=b',
  ]);
  assert.equal(surface.inputs.find(({ parameter }) => parameter === 'size')?.others, [{ name: 'color', value: 'red' }]);
});

crawler('never follows what ends the session, deletes, pays or sends', async () => {
  const dangerous = [
    '/logout',
    '/user/sign-out',
    '/account/delete/7',
    '/items?action=delete',
    '/deleteUser?id=1',
    '/cart/checkout',
    '/unsubscribe',
    '/mail/send',
    '/session/abmelden',
    '/admin/reset',
    '/setup?step=2',
    '/orders/1/cancel',
    '/x?do=log%2Dout',
  ];
  const surface = await surveyOf((path) =>
    path === '/'
      ? `${dangerous.map((url) => `<a href="${url}">x</a>`).join('')}<a href=/a>Delete account</a><a href=mailto:a@b.example>m</a>
      <a href=/news>How to delete a cookie in five easy steps</a><a href=/logouts-explained>x</a><a href=/payments>x</a>`
      : 'page',
  );
  for (const url of dangerous) assert.not.ok(surface.asked.includes(`GET ${url}`), url);
  for (const { url } of surface.inputs)
    assert.not.ok(
      dangerous.some((path) => url.endsWith(path)),
      url,
    );
  assert.not.ok(surface.asked.includes('GET /a'));
  assert.ok(surface.skipped.some(({ url, reason }) => url.endsWith('/logout') && reason.includes('logout')));
  for (const path of ['/news', '/logouts-explained', '/payments'])
    assert.ok(surface.asked.includes(`GET ${path}`), path);
});

crawler('stays on the host and the port, and out of excluded paths', async () => {
  const elsewhere = await httpTarget((_request, response) => response.end(), 'other.localhost');
  try {
    const surface = await surveyOf(
      (path) =>
        path === '/'
          ? `<a href="${elsewhere.url}/">x</a><a href="http://shop.localhost:${elsewhere.port}/">x</a><a href=/private/a>x</a><a href=/public>x</a>`
          : 'page',
      { excludedPaths: ['/private'] },
    );
    assert.is(elsewhere.connections(), 0);
    assert.ok(surface.asked.includes('GET /public'));
    assert.not.ok(surface.asked.includes('GET /private/a'));
    assert.is(surface.skipped.filter(({ reason }) => reason === 'another host').length, 2);
  } finally {
    await elsewhere.close();
  }
});

crawler('looks as an identity, with its headers and cookies', async () => {
  const seen: unknown[] = [];
  const probes = openFor('http://shop.localhost/');
  const jar = probes.http.newJar();
  const identity: Identity = {
    name: 'a',
    role: 'user',
    jar,
    headers: [['X-Session', 'mine']],
    checkUrl: '',
    marker: '',
  };
  await surveyOf(
    (path, url, headers) => {
      if (seen.length === 0) jar.set(url.href, 'sid', 'abc');
      seen.push(headers['x-session'], headers.cookie);
      return path === '/' ? '<a href=/mine>x</a>' : 'page';
    },
    { identity },
  );
  await probes.close();
  assert.ok(seen.includes('sid=abc'));
  assert.is(seen.filter((value) => value === 'mine').length, seen.length / 2);
});

crawler('asks a browser for the links of a page made by script', async () => {
  const browsers = testBrowsers();
  try {
    const surface = await surveyOf(
      (path) => {
        if (path === '/')
          return '<div id=app></div><script>fetch("/data" + "/list").then(() => { document.getElementById("app").innerHTML = "<a href=/made-by-script>x</a><form method=post action=/do><input name=v></form>" })</script>';
        return path === '/data/list'
          ? { type: 'application/json', body: '{"a":1}' }
          : path === '/made-by-script'
            ? 'page'
            : none;
      },
      {},
      { browsers },
    );
    assert.ok(paths(surface).includes('/made-by-script'));
    assert.ok(surface.asked.filter((line) => line === 'GET /data/list').length >= 1);
    assert.ok(surface.calls.some(({ method, url }) => method === 'GET' && url.endsWith('/data/list')));
    assert.ok(surface.inputs.some(({ parameter, in: where }) => parameter === 'v' && where === 'body'));
  } finally {
    await browsers.close();
  }
});

crawler('names the origin that answered, and fails when none does', async () => {
  const target = await httpsTarget((_request, response) => response.writeHead(301, { location: '/home' }).end());
  const probes = openFor(target.url);
  const request = {
    probes,
    url: `${target.url}/`,
    startUrls: [],
    excludedPaths: [],
    signal: new AbortController().signal,
  };
  try {
    const { origins, addresses, host } = await survey(request);
    assert.is(host, 'shop.localhost');
    assert.equal(addresses, ['127.0.0.1']);
    assert.equal(
      origins.map(({ origin, scheme, port, status, redirectsTo }) => ({ origin, scheme, port, status, redirectsTo })),
      [{ origin: target.url, scheme: 'https', port: target.port, status: 301, redirectsTo: `${target.url}/home` }],
    );
    await target.close();
    assert.is(await codeOf(survey(request)), 'unreachable');
  } finally {
    await probes.close();
  }
});

crawler.run();
