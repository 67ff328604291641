import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { carriedXss } from '../../../../workflows/checks/injection/carried-xss.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('injection.carried-xss');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool, handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, carriedXss, { browsers, depth: 'deep', writes: 'create' });
  } finally {
    await site.close();
  }
}

type Write = (value: string) => string;

/** A page that gives a cookie, and shows it. */
const ofCookie =
  (write: Write, headers: Record<string, string> = {}): Handler =>
  ({ path, headers: sent }) => {
    const taste = /(?:^|;\s*)taste=([^;]*)/.exec(sent.cookie ?? '')?.[1] ?? 'plain';
    return path === '/'
      ? html(`<p>You like ${write(decodeURIComponent(taste))}</p>`, 200, { 'set-cookie': 'taste=plain', ...headers })
      : undefined;
  };

/** A form whose answer says where its visitor comes from. */
const ofReferer =
  (write: Write): Handler =>
  ({ path, method, headers }) =>
    path === '/'
      ? html('<form method="post" action="/tell"><input name="word" value="lamp"><button>Go</button></form>')
      : path === '/tell' && method === 'POST'
        ? html(`<input value="${write(headers.referer ?? 'nowhere')}">`)
        : undefined;

further(test)(
  'a cookie and the page that a visitor comes from are found where a page shows them as they are',
  async ({ browsers }) => {
    const [cookie, referer] = [await result(browsers, ofCookie(String)), await result(browsers, ofReferer(String))];
    assert.equal(places(cookie), ['GET / taste'], cookie.outcome.reason);
    assert.equal(places(referer), ['POST /tell Referer'], referer.outcome.reason);
  },
);

/** A button whose script sends JSON and shows the answer as text. */
const ofJson =
  (write: Write, type = 'text/html'): Handler =>
  ({ path, method, body }) =>
    path === '/'
      ? html(
          `<button id=b>Show</button><p id=o></p><script>b.onclick = () => fetch('/show', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ lamp: 'oak' }) }).then((r) => r.text()).then((t) => { o.textContent = t; })</script>`,
        )
      : path === '/show' && method === 'POST'
        ? { headers: { 'content-type': type }, body: `<p>Lamp of ${write(String(JSON.parse(body).lamp))}</p>` }
        : undefined;

further(test)('a field of JSON is found where the answer is a page that shows it as it is', async ({ browsers }) => {
  const found = await result(browsers, ofJson(String));
  assert.equal(
    found.findings.map(({ location, severity }) => `${location?.parameter} ${severity}`),
    ['lamp 2'],
    found.outcome.reason,
  );
  for (const site of [ofJson(escapeHtml), ofJson(String, 'text/plain')])
    assert.equal(places(await result(browsers, site)), []);
});

test('a cookie that several pages show is one finding, with a place for each', async ({ browsers }) => {
  const found = await result(browsers, ({ path, headers }) => {
    const look = /(?:^|;\s*)taste=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? 'light';
    const page = `<p>In ${decodeURIComponent(look)}</p><a href="/">Home</a> <a href="/trails">Trails</a>`;
    return path === '/' || path === '/trails'
      ? html(`${page} <p>${path.length} trails</p>`, 200, { 'set-cookie': 'taste=light' })
      : undefined;
  });
  assert.equal(places(found), ['GET / taste'], found.outcome.reason);
  assert.equal(found.findings[0]?.locations?.map(({ url = '' }) => new URL(url).pathname).toSorted(), ['/', '/trails']);
});

test('what is encoded is clean, and so is a page whose policy lets no script run', async ({ browsers }) => {
  const script = { 'content-security-policy': "script-src 'none'" };
  for (const site of [ofCookie(escapeHtml), ofReferer(escapeHtml), ofCookie(String, script)]) {
    const found = await result(browsers, site);
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  }
});

test.run();
