import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../../workflows/activities/audit-context.ts';
import { isLikeMissing, missingLike, siblingOf } from '../../../../workflows/checks/pages/soft-404.ts';
import { type Answer, type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { openFor } from '../../probe/support.ts';

const test = suite('soft 404s');

/** Whether each path is like a missing one on a site, and what the site was asked. */
async function ask(handler: Handler, paths: string[]): Promise<{ missing: boolean[]; requests: string[] }> {
  const site = await startSite(handler);
  const probes = openFor(site.url);
  const context = { http: probes.http, nonce: makeNonce };
  try {
    const missing = await Promise.all(
      paths.map(async (path) => isLikeMissing(context, await probes.http.get(site.url + path))),
    );
    return { missing, requests: site.requests };
  } finally {
    await probes.close();
    await site.close();
  }
}

const words = (count: number, seed: string) =>
  Array.from({ length: count }, (_, index) => `${seed}${'abcdefghij'[index % 10]}`);
const random = () => Math.random().toString(16).slice(2).padEnd(12, 'f').slice(0, 12);

/** A layout of some size, as shops and blogs have on every page. */
const layout = (title: string, content: string): Answer =>
  html(`<nav class="main">${words(120, 'category ')
    .map((word) => `<a class="item" href="/x">${word} admin</a>`)
    .join('')}</nav>
    <script nonce="${random()}">var token = "${random()}${random()}"; var now = ${Date.now()};</script>
    <h1>${title}</h1><main>${content}</main>
    <input type="hidden" name="csrf" value="${random()}"><footer>Rendered ${new Date().toUTCString()} in ${Math.random()} s, request ${random()}</footer>`);

const settings: Answer = { headers: { 'content-type': 'text/plain' }, body: 'DB_PASSWORD=k8s-9dd2f\nAPP_KEY=1\n' };

test('a name that is there differs from random ones beside it', async () => {
  const { missing } = await ask(({ path }) => (path === '/.env' ? settings : undefined), ['/.env', '/other']);
  assert.equal(missing, [false, true]);
});

const catchAll: Record<string, Handler> = {
  'one page for all': () => html('<h1>Welcome</h1><div id="app"></div>'),
  'a layout with tokens, dates and times': () => layout('Not found', 'We could not find that page.'),
  'an echo of the path, in several spellings': ({ path }) =>
    layout(
      `Cannot find ${path}`,
      `<p>${path.toUpperCase()}</p><code>${encodeURIComponent(path)}</code> ${path.split('/').pop()?.split('.')[0]} is gone`,
    ),
  'advertisements in turn': () =>
    layout('Not found', `<aside class="ad">${words(12, random().replace(/\d/g, 'q')).join(' ')}</aside>`),
  'an echo in plain text': ({ path }) => ({
    headers: { 'content-type': 'text/plain' },
    body: `no such file: ${path} (id ${random()})`,
  }),
  'an echo in JSON': ({ path }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: 'unknown route', path, at: new Date() }),
  }),
  'a login that remembers the way': ({ path }) =>
    path === '/login' ? html('Log in') : redirect(`/login?next=${encodeURIComponent(path)}&state=${random()}`),
  'a slash at the end': ({ path }) => redirect(`${path}/`, 301),
  noise: () => ({
    headers: { 'content-type': 'text/plain' },
    body: Array.from({ length: 50 }, () => random().replace(/\d/g, 'x')).join(' '),
  }),
  'nothing at all': () => ({ status: 200, body: '' }),
  'a firewall': ({ path }) => html(`<h1>Forbidden</h1> ${path}`, 403),
};

for (const [what, handler] of Object.entries(catchAll))
  test(`nothing is there on a site that answers every name with ${what}`, async () => {
    const { missing } = await ask(handler, ['/.env', '/admin', '/backup.tar.gz', '/a/deep/folder/']);
    assert.equal(missing, [true, true, true, true]);
  });

test('a page of its own in the layout that missing pages have, too, is there', async () => {
  const { missing } = await ask(
    ({ path }) =>
      path === '/users'
        ? layout(
            'Users',
            '<table><tr><td>alice@shop.example<td>administrator<td>edit<tr><td>bob@shop.example<td>customer<td>remove</table>',
          )
        : layout('Not found', 'We could not find that page.'),
    ['/users', '/user'],
  );
  assert.equal(missing, [false, true]);
});

test('a file among pages that all look alike is there', async () => {
  const { missing } = await ask(
    ({ path }) => (path === '/.env' ? settings : layout('Home', 'Welcome')),
    ['/.env', '/.envrc'],
  );
  assert.equal(missing, [false, true]);
});

test('another status, and another place that is led to, differ', async () => {
  const { missing } = await ask(
    ({ path }) => {
      if (path === '/admin') return html('<h1>Forbidden</h1>', 403);
      return path === '/console' ? redirect('/console/login') : redirect('/');
    },
    ['/admin', '/console', '/other'],
  );
  assert.equal(missing, [false, false, true]);
});

test('an answer that was put off shows nothing', async () => {
  const { missing } = await ask(({ path }) => (path === '/slow' ? { status: 503 } : undefined), ['/slow']);
  assert.equal(missing, [true]);
});

test('two siblings of each folder, ending and method are asked for, once', async () => {
  const site = await startSite(() => html('Welcome'));
  const probes = openFor(site.url);
  const context = { http: probes.http, nonce: makeNonce };
  try {
    const urls = ['/a.php', '/b.php', '/sub/a.php', '/a.php.bak', '/.a', '/a/', '/a'].map((path) => site.url + path);
    const pages = await Promise.all(urls.map((url) => missingLike(context, url)));
    await missingLike(context, urls[0] ?? '', 'HEAD');
    assert.is(pages[0], pages[1]);
    const shapes = site.requests.map((line) => line.replace(/[a-z0-9]{12}/, '*')).sort();
    const once = ['GET /*', 'GET /*.php', 'GET /*.php.bak', 'GET /*/', 'GET /.*', 'GET /sub/*.php', 'HEAD /*.php'];
    assert.equal(shapes, once.flatMap((shape) => [shape, shape]).sort());
  } finally {
    await probes.close();
    await site.close();
  }
});

test('a sibling that could not be asked for is no answer, and is asked for again', async () => {
  const site = await startSite(() => html('Welcome'));
  const probes = openFor(site.url, { share: { maxRequests: 1 } });
  const context = { http: probes.http, nonce: makeNonce };
  try {
    const exchange = await probes.http.get(`${site.url}/a`);
    const failed = await isLikeMissing(context, exchange).catch((error: unknown) => error);
    assert.match(String(failed), /requests of this part of the scan are used up/);
  } finally {
    await probes.close();
    await site.close();
  }
});

test('a sibling keeps folder, dot and ending', () => {
  const of = (path: string) =>
    siblingOf(`https://shop.example:8443${path}`, 'NAME').slice('https://shop.example:8443'.length);
  assert.equal(
    [
      '',
      '/',
      '/.env',
      '/.env.old',
      '/a/b.tar.gz',
      '/wp-config.php~',
      '/v1.2/app-3.4.1.min.js',
      '/admin',
      '/admin/?x=/y.z',
      '/a?b=/c.d',
      '/.git/HEAD',
    ].map(of),
    [
      '/NAME',
      '/NAME',
      '/.NAME',
      '/.NAME.old',
      '/a/NAME.tar.gz',
      '/NAME.php~',
      '/v1.2/NAME.min.js',
      '/NAME',
      '/NAME/',
      '/NAME',
      '/.git/NAME',
    ],
  );
});

test.run();
