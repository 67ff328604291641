import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface, PageSurface } from '../../../workflows/model/surface.ts';
import { createCookieList } from '../../../workflows/survey/page-cookies.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const browsers = testBrowsers();
const test = suite('inputs that headers and cookies carry');
test.after(() => browsers.close());

const button = (script: string) => `<input id=v value=lamp><button type=button onclick="${script}">Show</button>`;

const pages: Record<string, Awaited<ReturnType<Site>>> = {
  '/': '<a href=/form>f</a> <a href=/json>j</a> <a href=/made>m</a> <a href=/given>g</a> <a href=/both>b</a>',
  '/form': button(
    `fetch('/form', { method: 'POST', headers: { 'X-Colour': v.value, 'X-Api-Key': 'k', 'X-Requested-With': 'fetch' }, body: new URLSearchParams({ max: '5' }) })`,
  ),
  '/json': button(
    `fetch('/api', { method: 'POST', headers: { 'X-Shape': v.value, 'Content-Type': 'application/json' }, body: '[1]' })`,
  ),
  '/made': `<script>document.cookie = 'taste=dark%20blue'; document.cookie = '_ga=1'</script><form method=post action=/made><input type=hidden name=go value=1><button>Send</button></form>`,
  '/given': {
    headers: { 'set-cookie': 'size=large; Path=/' },
    body: '<form method=post action=/given><input name=note><button>Send</button></form>',
  },
  '/both': {
    headers: { 'set-cookie': 'SESSION=1234; Path=/' },
    body: '<form method=post action=/both><input name=text><button>Send</button></form>',
  },
};

test('are those of the requests that a script sends, and of forms on pages that give or make a cookie', async () => {
  const { inputs } = await surveyOf((path) => pages[path] ?? { status: 404 }, { observes: true }, { browsers });
  const carried = inputs
    .filter(({ in: place }) => place === 'header' || place === 'cookie')
    .map(({ method, url, in: place, parameter, sample, others, json }) =>
      [
        method,
        new URL(url).pathname,
        place,
        `${parameter.toLowerCase()}=${sample}`,
        json?.body ?? others.map(({ name, value }) => `${name}=${value}`).join('&'),
      ].join(' '),
    );
  assert.equal(carried.sort(), [
    'GET /made cookie taste=dark blue ',
    'POST /api header x-shape=lamp [1]',
    'POST /form header x-colour=lamp max=5',
    'POST /given cookie size=large note=',
    'POST /made cookie taste=dark blue go=1',
  ]);
});

test('a cookie that stands in a script is known without a browser, also where its value is put together', () => {
  const list = createCookieList([]);
  const url = 'http://site.localhost/';
  list.read(
    url,
    `<script>document.cookie = "tone=warm"; document.cookie = 'town=' + encodeURIComponent('Ulm')</script>`,
  );
  const page = { url, setCookies: [] } as unknown as PageSurface;
  assert.equal(
    list.inputs([page], []).map(({ parameter, sample }) => `${parameter}=${sample}`),
    ['tone=warm', 'town=Ulm'],
  );
});

test('a cookie that a helper of scripts makes when something is pressed is known, with the value that its field has', () => {
  const list = createCookieList([]);
  const url = 'http://site.localhost/';
  list.read(
    url,
    `<input type=text name=x id="tone.1" value="warm"><button onclick="setCookie('tone', document.getElementById('tone.1').value, 1)">a</button>
    <button onclick="Cookies.set(&quot;town&quot;, &quot;Ulm&quot;)">b</button><script>$.cookie('road', roadOf(map)); function setCookie(name, value) {}</script>`,
  );
  const page = { url, setCookies: [] } as unknown as PageSurface;
  assert.equal(
    list.inputs([page], []).map(({ parameter, sample }) => `${parameter}=${sample}`),
    ['tone=warm', 'town=Ulm', 'road=test'],
  );
});

test('a cookie that several pages make is posted with the form of each, one that a server gives with those of the first', () => {
  const list = createCookieList([]);
  const urls = ['a', 'b', 'c'].map((name) => `http://site.localhost/${name}`);
  for (const url of urls) list.read(url, `<script>document.cookie = "tone=warm; path=/"</script>`);
  const pages = urls.map((url) => ({ url, setCookies: ['size=large'] }) as unknown as PageSurface);
  const forms = [...urls.slice(0, 2), urls[1]].map(
    (url, index) =>
      ({
        pageUrl: urls[index],
        action: `${url}.do`,
        method: 'POST',
        enctype: '',
        fields: [],
      }) as unknown as FormSurface,
  );
  assert.equal(
    list.inputs(pages, forms).map(({ method, url, parameter }) => `${method} ${new URL(url).pathname} ${parameter}`),
    ['POST /a.do size', 'GET /a tone', 'POST /a.do tone', 'POST /b.do tone'],
  );
});

test.run();
