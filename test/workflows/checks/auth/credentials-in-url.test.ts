import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { credentialsInUrl } from '../../../../workflows/checks/auth/credentials-in-url.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('auth.credentials-in-url');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(handler: Handler, browsers?: BrowserPool) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, credentialsInUrl, browsers ? { browsers } : {});
  } finally {
    await site.close();
  }
}

const home =
  (content: string | ((request: Parameters<Handler>[0]) => string)): Handler =>
  (request) =>
    request.path === '/' ? html(typeof content === 'string' ? content : content(request)) : undefined;
const id = () => randomBytes(16).toString('hex');
const fields = '<input name="user"><input type="password" name="pin"><button>Go</button>';
const password = 'tr0ub4dor3';

for (const [what, handler] of Object.entries<Handler>({
  'a form without a method': home(`<form action="/login">${fields}</form>`),
  'a form that says GET': home(`<form method="get">${fields}</form>`),
  'a button that says GET': home(
    '<form method="post"><input type="password" name="p"><button formmethod="get">Go</button></form>',
  ),
  'links with the session in the path': home(() => `<a href="/cart;jsessionid=${id().toUpperCase()}">Cart</a>`),
  'links with the session in the query': home(() => `<a href="/cart?a=1&amp;PHPSESSID=${id()}">Cart</a>`),
  'links with a session that is kept under a short name': home(
    ({ target }) => `<a href="/cart?sid=${new URL(target, 'http://x').searchParams.get('sid') ?? id()}">Cart</a>`,
  ),
  'a redirect with the session': ({ path, target }) =>
    path === '/' && !target.includes('?') ? redirect(`/start?session_id=${id()}`) : html('hello'),
  'a redirect with a token in the query': ({ path }) =>
    path === '/'
      ? html('<a href="/sso">Guest</a>')
      : path === '/sso'
        ? redirect(`https://app.localhost/in?access_token=${id()}`)
        : undefined,
  'a link with a name and password': home(`<a href="https://report:${password}@files.northwind.shop/list">Files</a>`),
  'a refresh with a name and password': home(
    `<meta http-equiv="refresh" content="5; url=ftp://report:${password}@files.northwind.shop/">`,
  ),
  'a redirect with a name and password': ({ path }) =>
    path === '/' ? html('<a href="/files">Files</a>') : redirect(`https://report:${password}@files.northwind.shop/`),
}))
  test(`${what} is found`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.not.ok(stored(found).includes(password));
  });

further(test)('where a page has script, the form is found when a browser sends it by GET', async ({ browsers }) => {
  const page = home(`<form method="get">${fields}</form><script>document.title = "Shop"</script>`);
  const found = await result(page, browsers);
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

further(test)('a form that script takes over is clean', async ({ browsers }) => {
  const script = `<script>document.forms[0].addEventListener('submit', (event) => event.preventDefault())</script>`;
  assert.is((await result(home(`<form method="get">${fields}</form>${script}`), browsers)).findings.length, 0);
  assert.is((await result(home(`<form>${fields}</form>${script}`), browsers)).findings.length, 0);
});

const constant = id();
for (const [what, handler] of Object.entries<Handler>({
  'a form in the text of a script': ({ path }) =>
    path === '/views.js'
      ? { headers: { 'content-type': 'text/javascript' }, body: `const login = '<form>${fields}</form>';` }
      : html('<a href="/views.js">The code</a>'),
  'a form of an application, at any address': ({ path }) =>
    html(`<p>Notes</p><script>addEventListener('submit', (event) => event.preventDefault())</script><form>${fields}</form>
      ${path === '/' ? ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `<a href="/${name}">${name}</a>`).join('') : ''}`),
  'a form that is sent by POST': home(`<form method="post">${fields}</form>`),
  'a password field without a name': home('<form><input name="user"><input type="password"></form>'),
  'a form that searches': home('<form><input name="q"></form>'),
  'a value that is the same for everybody': home(`<a href="/map?access_token=${constant}">Map</a>`),
  'a token of another kind': home(() => `<a href="/unsubscribe?token=${id()}&state=${id()}&code=${id()}">x</a>`),
  'the number of a search': ({ path }) =>
    path === '/'
      ? html('<a href="/latest">Latest</a>')
      : path === '/latest'
        ? redirect(`/results?sid=${id()}`)
        : html('Results'),
  'a short value': home('<a href="/list?sid=42&session_id=1">x</a>'),
  'a template of an address': home(
    '<a href="https://user:password@example.com/">x</a><a href="https://user:%7Bpassword%7D@db.shop/">x</a><a href="ftp://ann:your-password@files.shop/">x</a>',
  ),
  'a name without a password': home('<a href="https://git@github.com/a/b">x</a><a href="mailto:a:b@c.shop">x</a>'),
  'an address in a text': home(`<pre>postgres://shop:${password}@db.northwind.shop/shop</pre>`),
}))
  test(`${what} is clean`, async () => {
    const { outcome } = await result(handler);
    assert.is(outcome.kind, 'clean', outcome.reason);
  });

further(test)('a session in the links of many pages is one finding', async () => {
  const found = await result(({ path }) =>
    html(`${path}<a href="/a;jsessionid=${id()}">a</a><a href="/b;jsessionid=${id()}">b</a><a href="/c?x=1">c</a>`),
  );
  assert.is(found.findings.length, 1);
});

test.run();
