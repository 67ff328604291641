import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginOverHttp } from '../../../../workflows/checks/auth/login-over-http.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, redirect, type SiteOptions, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { check, openAudit, places, runOn, testBrowsers } from '../harness.ts';

type Tls = { key: string; cert: string };

const test = suite<{ tls: Tls; browsers: BrowserPool }>('auth.login-over-http');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(handler: Handler, options: SiteOptions, browsers?: BrowserPool) {
  const site = await startSite(handler, options);
  try {
    return await runOn(site.url, loginOverHttp, browsers ? { browsers } : {});
  } finally {
    await site.close();
  }
}

const at =
  (path: string, content: string, headers: Record<string, string> = {}): Handler =>
  (request) => {
    if (request.path === '/' && path !== '/') return html(`<a href="${path}">Sign in</a>`);
    return request.path === path ? html(content, 200, headers) : undefined;
  };
const fields = '<input name="user"><input type="password" name="pass"><button>Sign in</button>';
const form = (attributes: string) => `<form method="post" ${attributes}>${fields}</form>`;

for (const [what, handler] of firstRows(
  Object.entries<Handler>({
    'a login page': at('/login', form('')),
    'a page whose form goes to HTTPS': at('/account', form('action="https://shop.localhost/login"')),
    'a field that stands outside of a form': at('/', "<input id=p TYPE='Password'><button>Go</button>"),
    'HTTP Basic authentication': ({ path }) =>
      path === '/'
        ? html('<a href="/intern">Intern</a>')
        : path === '/intern'
          ? { status: 401, headers: { 'www-authenticate': 'Basic realm="Intern"' } }
          : undefined,
    'HTTP Basic beside another scheme': () => ({
      status: 401,
      headers: { 'www-authenticate': ['Negotiate', 'Basic realm="x", charset="UTF-8"'] },
    }),
  }),
  2,
))
  test(`${what} over http is found`, async () => {
    const { outcome, findings } = await result(handler, {});
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
  });

test('a login is found beside more pages than the check looks at', async () => {
  const paths = Array.from({ length: 90 }, (_, index) => `/p${index}`);
  const login = '/members/of/the/club/come/in/by/this/door';
  const pageAt = (path: string): string => [1, 2, 3, 4].map((each) => `<x${path.slice(2)}-${each}>Text`).join('');
  const site = await startSite(({ path }) => {
    if (path === '/') return html([...paths, login].map((each) => `<a href="${each}">x</a>`).join(' '));
    return path === login ? html(form('')) : paths.includes(path) ? html(pageAt(path)) : undefined;
  });
  try {
    const found = await runOn(site.url, loginOverHttp, { allowance: 100 });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  } finally {
    await site.close();
  }
});

test('a form that an address writes into its page is no login of the site', async () => {
  const sent = '/?note=%3Cform%3E%3Cinput+type%3Dpassword+name%3Dpin%3E%3C/form%3E';
  const site =
    (more: string): Handler =>
    ({ path, query }) =>
      path === '/' ? html(`<a href="${sent}">Note</a>${query.get('note') ?? ''}${more}`) : undefined;
  assert.equal((await result(site(''), {})).findings, []);
  assert.is((await result(site(form('')), {})).findings.length, 1);
});

further(test)('a page that is too large to be read hides no other, and is reported', async () => {
  const site = await startSite(({ path }) =>
    path === '/'
      ? html('<a href="/handbook">Handbook</a><a href="/login">Sign in</a>')
      : path === '/handbook'
        ? html(`<p>All of it</p>${'<div>'.repeat(20_000)}`)
        : path === '/login'
          ? html(form(''))
          : undefined,
  );
  try {
    const { findings, outcome } = await runOn(site.url, loginOverHttp);
    assert.is(findings.length, 1);
    assert.equal(
      outcome.omitted.map(({ code, count }) => [code, count]),
      [['page_cut', 1]],
    );
  } finally {
    await site.close();
  }
});

for (const [what, content] of firstRows(
  Object.entries({
    'a form with an http address': form('action="http://shop.localhost/login?from=x&amp;y=1"'),
    'a form without quotes': `<form method=post action=http://shop.localhost/login>${fields}</form>`,
    'a form of a page whose base is http': `<base href="http://shop.localhost/">${form('action="login"')}`,
    'a button that leads elsewhere': `<form method="post" action="/login"><input type="password" name="p"><button formaction="http://sso.localhost/in">Go</button></form>`,
    'a field that belongs by its id': `<form id="f" method="post" action="http://shop.localhost/in"></form><input form="f" name="p" type="password">`,
  }),
  2,
))
  test(`over HTTPS, ${what} is found`, async ({ tls }) => {
    const { outcome, findings } = await result(at('/login', content), { tls });
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.match(findings[0]?.description ?? '', 'The form sends the password to http://');
  });

further(test)('a form that script makes over http is found', async ({ browsers }) => {
  const script = `<div id="app"></div><script>document.getElementById('app').innerHTML = '<form method="post"><input type="pass' + 'word" name="p"></form>'</script>`;
  const { outcome, findings } = await result(at('/', script), {}, browsers);
  assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
});

for (const [what, [content, headers = {}]] of firstRows(
  Object.entries<[content: string, headers?: Record<string, string>]>({
    'a form of its own': [form('action="/login"')],
    'a form without an action': [form('')],
    'an address without scheme': [form('action="//shop.localhost/login"')],
    'a form that the policy makes a browser upgrade': [
      form('action="http://shop.localhost/login"'),
      { 'content-security-policy': 'upgrade-insecure-requests' },
    ],
    'a form to a host that browsers know to have HTTPS': [
      form('action="http://shop.localhost/login"'),
      { 'strict-transport-security': 'max-age=31536000' },
    ],
    'a search by http beside it': [
      `${form('action="/login"')}<form action="http://find.localhost/"><input name="q"></form>`,
    ],
  }),
  2,
))
  test(`over HTTPS, ${what} is clean`, async ({ tls }) => {
    const { outcome } = await result(at('/login', content, headers), { tls });
    assert.is(outcome.kind, 'clean', outcome.reason);
  });

test('an http site that asks for no password has nothing of the kind', async () => {
  const texts = '<p>&lt;input type="password"&gt; is a field</p><template><input type="password"></template>';
  const { outcome } = await result(
    at('/', `${texts}<!-- <input type="password"> --><input type="text" name="password">`),
    {},
  );
  assert.is(outcome.kind, 'not-applicable');
});

test('a page that leads to HTTPS asks for nothing itself', async () => {
  const { outcome } = await result(({ path }) => redirect(`https://shop.localhost${path}`), {});
  assert.is(outcome.kind, 'not-applicable');
});

further(test)('many pages with a login are one finding, and those that it does not name are reported', async () => {
  const handler: Handler = ({ path }) =>
    html(
      `${Array.from({ length: 12 }, (_, n) => n)
        .map((n) => `<a href="/page${n}x">x</a>`)
        .join('')}${path}${form('action="/login"')}`,
    );
  const found = await result(handler, {});
  assert.is(places(found).length, 1);
  const named = found.findings[0]?.locations?.length ?? 0;
  assert.is(named, 10);
  assert.ok(
    found.outcome.omitted.some(({ code, text }) => code === 'alike' && text.includes('were not tried one by one')),
  );
});

further(test)(
  'of many pages whose login script draws, two are opened in a browser, and the others are reported',
  async ({ browsers }) => {
    const drawing = `<div id="app"></div><script>document.getElementById('app').innerHTML = '<form method="post"><input type="pass' + 'word" name="p"></form>'</script>`;
    const names = ['/in', '/out', '/team', '/press'];
    const site = await startSite(({ path }) => (names.includes(path) ? html(drawing) : undefined));
    const audit = await openAudit(`${site.url}/in`, { browsers });
    try {
      const { surface } = audit.context;
      const [page] = surface.pages;
      const [login] = surface.forms;
      assert.ok(page && login);
      const pages = names.map((name) => ({ ...page, url: site.url + name }));
      const forms = pages.map(({ url }) => ({ ...login, pageUrl: url }));
      const before = site.requests.length;
      const context = { ...audit.context, surface: { ...surface, pages, forms } };
      const { outcome, findings } = await check({ ...audit, context }, loginOverHttp);
      assert.is(findings[0]?.locations?.length, 2);
      assert.equal(
        outcome.omitted.map(({ code, count }) => [code, count]),
        [['alike', 2]],
      );
      assert.ok(site.requests.length - before <= 4 + 2 * 4, site.requests.slice(before).join());
    } finally {
      await Promise.all([audit.close(), site.close()]);
    }
  },
);

test.run();
