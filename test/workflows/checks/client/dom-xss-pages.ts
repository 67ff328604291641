import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Handler, html } from '../../../fixtures/site.ts';
import { libraries } from '../../../scorecard/sites/script-pages.ts';

export const jquery = readFileSync(fileURLToPath(import.meta.resolve('jquery/dist/jquery.min.js')));
export const js = (body: string | Uint8Array) => ({ headers: { 'content-type': 'text/javascript' }, body });

export type Page = {
  script: string;
  body?: string;
  headers?: Record<string, string>;
  link?: string;
  isSpa?: boolean;
  /** Further library, beside jQuery. */
  library?: keyof typeof more;
};

const more = {
  vue: await libraries.vue(),
  vue2: await libraries.vue2(),
  angular: await libraries.angularJs(),
};

/** A site whose page /app has one script of its own, and jQuery. */
export const app =
  ({ script, body = '<div id="out"></div>', headers = {}, link = '/app', isSpa = false, library }: Page): Handler =>
  ({ path }) => {
    if (path === '/') return html(`<a href="${link}">The app</a>`);
    if (path === '/js/jquery.min.js') return js(jquery);
    if (path === '/js/app.js') return js(script);
    if (library && path === `/js/${library}.js`) return js(more[library]);
    const beside = library ? `<script src="/js/${library}.js"></script>` : '';
    if (path !== '/app' && !(isSpa && path.startsWith('/app/'))) return undefined;
    return html(
      `${body}<script src="/js/jquery.min.js"></script>${beside}<script src="/js/app.js"></script>`,
      200,
      headers,
    );
  };

export const out =
  "const out = document.getElementById('out'); const hash = decodeURIComponent(location.hash.slice(1));";
export const params = 'const params = new URLSearchParams(location.search);';

export const vulnerable: Record<string, [page: Page, parameter: string]> = {
  'a name that is looked for anywhere in the address': [
    {
      script:
        "const at = location.hash.indexOf('lang='); if (at !== -1) document.write('<b>' + decodeURIComponent(location.hash.slice(at + 5)) + '</b>')",
    },
    'lang',
  ],
  'what follows a parameter, up to the end of the address': [
    {
      body: '<form><select name="tongue" id="tongue"></select><button>Go</button></form>',
      script:
        "const at = location.href.indexOf('tongue='); if (at !== -1) { const tongue = location.href.slice(at + 7); document.write('<select><option value=\\'' + tongue + '\\'>' + decodeURI(tongue) + '</option></select>') }",
    },
    'fragment',
  ],
  'the last part of a fragment that a link names': [
    {
      body: '<a href="#show/news">News</a><div id="out"></div>',
      script: `${out} const [view, what] = hash.split('/'); if (view === 'show') out.innerHTML = what`,
    },
    'fragment',
  ],
  'a style sheet whose address is written without angle brackets': [
    {
      script: `${params} const skin = (params.get('skin') ?? 'day').replace(/[<>]/g, ''); document.write('<link rel="stylesheet" href="/skins/' + skin + '.css">')`,
    },
    'skin',
  ],
  'an attribute that is written by the script, of a value without angle brackets that is cut': [
    {
      script: `${params} const skin = (params.get('skin') ?? 'day').replace(/[<>]/g, '').slice(0, 110); document.write('<link rel="stylesheet" href="/skins/' + skin + '.css">')`,
    },
    'skin',
  ],
  'JSON in base64 in the fragment': [
    { script: `${out} if (hash) { const view = JSON.parse(atob(hash)); out.innerHTML = '<b>' + view.title + '</b>' }` },
    'fragment',
  ],
  'base64 in a query parameter': [
    { script: `${out}${params} const state = params.get('state'); if (state) out.innerHTML = atob(state)` },
    'state',
  ],
  'the query of a route in the fragment': [
    {
      script: `${out} const [path, query] = hash.split('?'); if (path === '/search') out.innerHTML = new URLSearchParams(query).get('term')`,
    },
    'term',
  ],
  'a fragment behind "#!"': [
    { script: `${out} if (location.hash.startsWith('#!')) out.innerHTML = decodeURIComponent(location.hash.slice(2))` },
    'fragment',
  ],
  'a query that is taken apart by hand': [
    {
      script: `${out} const given = {}; location.search.slice(1).split('&').forEach((pair) => { const parts = pair.split('='); given[parts[0]] = decodeURIComponent(parts[1] ?? ''); }); if (given.title) out.innerHTML = given.title`,
    },
    'title',
  ],
  'a fragment that a function takes apart': [
    {
      script: `${out} function given() { const all = {}; for (const pair of location.hash.slice(1).split('&')) { const at = pair.indexOf('='); if (at > 0) all[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1)); } return all; } const state = given(); out.innerHTML = 'Guest: ' + (state.guest || 'nobody')`,
    },
    'guest',
  ],
  'a handler that is an attribute': [
    {
      script: `${params} const choose = () => {}; out.setAttribute('onclick', 'choose("' + params.get('kind') + '")'); out.textContent = 'Choose'`,
      body: '<b id="out"></b>',
    },
    'kind',
  ],
  'an address whose answer is put in, by jQuery': [
    { script: `if (location.hash) $('#out').load(decodeURIComponent(location.hash.slice(1)))` },
    'fragment',
  ],
  'a text of jQuery that is markup as soon as it has a tag': [
    { script: `${params} $('#out').after(params.get('hint') ?? '')` },
    'hint',
  ],
  'an expression that AngularJS is asked to read': [
    {
      script: `${params} angular.module('app', []).run(['$rootScope', '$parse', (scope, parse) => { try { parse(params.get('sort'))(scope) } catch {} }]); angular.bootstrap(document.body, ['app'])`,
      library: 'angular',
    },
    'sort',
  ],
  'JSON in a parameter of the query': [
    {
      link: '/app?view=%7B%22title%22%3A%22Jetty%22%7D',
      script: `${params} out.innerHTML = 'View: ' + JSON.parse(params.get('view') ?? '{}').title`,
    },
    'view',
  ],
  'an address in a message': [
    {
      script: "addEventListener('message', ({ data }) => { if (data.action === 'open') location.href = data.address })",
    },
    'address',
  ],
  'a message of a site whose name has that of this one in it': [
    {
      script:
        "addEventListener('message', (event) => { if (event.origin.indexOf(location.hostname) !== -1) out.innerHTML = event.data })",
    },
    'message',
  ],
  'a target that has to name a site of the web somewhere': [
    {
      script: `${params} const target = params.get('target') ?? ''; if (target.includes('https://')) location.assign(target)`,
    },
    'target',
  ],
  'handlers that are taken out where they stand behind a space': [
    { script: `${out} out.innerHTML = hash.replace(/ on\\w+=/gi, ' x=')` },
    'fragment',
  ],
  'an address in an attribute, without signs of markup': [
    { script: `${out} out.innerHTML = '<a href="' + hash.replace(/[<>"]/g, '') + '">More</a>'` },
    'fragment',
  ],
  'a fragment that innerHTML takes': [{ script: `${out} out.innerHTML = 'No piece ' + hash` }, 'fragment'],
  'a fragment that changes later': [
    { script: `${out} addEventListener('hashchange', () => 0); setTimeout(() => { out.innerHTML = hash }, 100)` },
    'fragment',
  ],
  'a query parameter that only the script knows, by jQuery': [
    { script: `${params} $('#out').html('<b>' + params.get('notice') + '</b>')` },
    'notice',
  ],
  'a parameter of the fragment': [
    { script: `${out} out.innerHTML = new URLSearchParams(location.hash.slice(1)).get('error') ?? ''` },
    'error',
  ],
  'a router that shows the route it does not know': [
    {
      script: `const routes = { '': 'Home', about: 'About' };
        function show() {
          const route = decodeURI(location.hash.slice(2));
          document.querySelector('#out').innerHTML = routes[route] || '<h1>' + route + ' was not found</h1>';
        }
        addEventListener('hashchange', show); show();`,
    },
    'fragment',
  ],
  'a query parameter that is written into an attribute': [
    {
      script: `${params} document.write('<img alt="' + params.get('ref') + '">')`,
      link: '/app?ref=mail',
    },
    'ref',
  ],
  'pieces that are written one by one': [
    { script: `${out} document.write("<a href='"); document.write(hash); document.write("'>x</a>")` },
    'fragment',
  ],
  'a fragment that is evaluated without the usual calls': [
    { script: `${out} out.textContent = Function('return ' + hash.replace(/alert|confirm|prompt/g, ''))()` },
    'fragment',
  ],
  'a fragment that is evaluated': [
    { script: `const config = {}; try { eval('config.' + location.hash.slice(1)) } catch {}` },
    'fragment',
  ],
  'a timer of text': [
    { script: `${params} function go() {} setTimeout("go('" + params.get('tab') + "')", 10)` },
    'tab',
  ],
  'a target that the page goes to': [
    { script: `${params} if (params.get('next')) location.href = params.get('next')` },
    'next',
  ],
  'a link back that is clicked': [
    {
      script: `${params} document.querySelector('#back').href = params.get('returnTo') ?? '/'`,
      body: '<a id="back">Back</a>',
    },
    'returnTo',
  ],
  'the address of a script': [
    {
      script: `const s = document.createElement('script'); s.src = location.hash.slice(1) || '/js/jquery.min.js'; document.body.append(s)`,
    },
    'fragment',
  ],
  'a selector that jQuery takes for markup': [{ script: '$(decodeURIComponent(location.hash.slice(1)))' }, 'fragment'],
  'markup that is parsed first and put in later': [
    {
      script: `${out} out.append(...new DOMParser().parseFromString(hash, 'text/html').body.childNodes)`,
    },
    'fragment',
  ],
  'a window that is opened, by a name among many of a bundle': [
    {
      script: `${Array.from({ length: 40 }, (_, n) => `registry.get("part${n}");`).join('')}${' '.repeat(400)}
        const to = new URL(location.href).searchParams.get('to'); if (to) window.open(to, '_self');`.replace(
        /^/,
        'const registry = new Map();',
      ),
    },
    'to',
  ],
  'a fragment that only a change of it shows': [
    { script: "addEventListener('hashchange', () => $('#out').html(decodeURIComponent(location.hash.slice(1))))" },
    'fragment',
  ],
  'a router of paths that shows the one it does not know': [
    {
      script: `const name = decodeURIComponent(location.pathname.split('/').pop());
        if (name !== 'app') document.querySelector('#out').innerHTML = '<p>No ' + name + ' here</p>';`,
      isSpa: true,
    },
    'path',
  ],
  'the address of the page before': [
    {
      script: `const from = document.referrer && new URL(document.referrer).searchParams.get('q');
        if (from) document.querySelector('#out').innerHTML = 'You looked for ' + from;`,
    },
    'document.referrer',
  ],
  'a member of JSON in the fragment': [
    {
      script: `try { const state = JSON.parse(decodeURIComponent(location.hash.slice(1)));
        document.querySelector('#out').innerHTML = '<h2>' + state.heading.trim() + '</h2>' + state.step; } catch {}`,
    },
    'heading',
  ],
  'a module that the query names': [
    { script: `${params} const part = params.get('part'); if (part) import(part).catch(() => {});` },
    'part',
  ],
  'a fragment in a template that Vue compiles': [
    { script: `${out} new Vue({ el: out, template: '<p>' + $('<i>').text(hash).html() + '</p>' })`, library: 'vue2' },
    'fragment',
  ],
  'a fragment as text of what Vue is mounted on': [
    { script: `${out} out.textContent = hash; Vue.createApp({}).mount(out)`, library: 'vue' },
    'fragment',
  ],
  'markup of Vue with a parameter': [
    {
      script: `${params} Vue.createApp({ data: () => ({ note: params.get('note') }), template: '<p v-html="note"></p>' }).mount('#out')`,
      library: 'vue',
    },
    'note',
  ],
  'a fragment that is escaped, in what AngularJS compiles': [
    {
      script: `${out} out.innerHTML = $('<i>').text(hash).html(); angular.bootstrap(out, [])`,
      library: 'angular',
    },
    'fragment',
  ],
  'a preview that is shown on a click': [
    {
      script: `${out} document.getElementById('show').addEventListener('click', () => { out.innerHTML = hash })`,
      body: '<button>Delete all</button><button id="show">Show preview</button><div id="out"></div>',
    },
    'fragment',
  ],
  'a message of any window, by its kind': [
    {
      script: `${out} addEventListener('message', ({ data }) => { if (data.type === 'notice') out.innerHTML = '<p>' + data.text.trim() + '</p>' })`,
    },
    'text',
  ],
  'a filter that replaces the first of each sign': [
    {
      body: '<a href="?name=ann">Ann</a><div id="out"></div>',
      script: `${params} document.getElementById('out').innerHTML = 'Hi ' + (params.get('name') ?? '').replace('<', '&lt;').replace('>', '&gt;')`,
    },
    'name',
  ],
  'a list of elements that are taken out': [
    {
      body: '<a href="?text=ann">Ann</a><div id="out"></div>',
      script: `${params} const held = document.createElement('template'); held.innerHTML = params.get('text') ?? ''; held.content.querySelectorAll('script,img,svg').forEach((each) => each.remove()); document.getElementById('out').append(held.content)`,
    },
    'text',
  ],
  'a handler that is a property, of a fragment that changes': [
    { script: `${out} window.onhashchange = () => { out.innerHTML = decodeURIComponent(location.hash.slice(1)) }` },
    'fragment',
  ],
  'a message of a kind, other kinds being left out': [
    {
      script: `${out} addEventListener('message', (e) => { let m; try { m = typeof e.data === 'string' ? JSON.parse(e.data) : e.data } catch { return } if (!m || m.type !== 'weather:update') return; out.innerHTML = '<b>' + m.city + '</b>' })`,
    },
    'city',
  ],
  'a message of a kind that stands before its member': [
    {
      script: `${out} addEventListener('message', ({ data }) => { if ('notice' === data.topic) out.innerHTML = data.text })`,
    },
    'text',
  ],
  'a message of JSON': [
    {
      script: `${out} window.onmessage = (event) => { try { const given = JSON.parse(event.data); out.innerHTML = given.body } catch {} }`,
    },
    'body',
  ],
  'the name of the window': [{ script: `${out} out.innerHTML = 'Hello ' + window.name` }, 'window.name'],
};

const sanitizer = `function clean(text) {
  const parsed = new DOMParser().parseFromString(text, 'text/html');
  for (const element of parsed.querySelectorAll('*')) {
    if (!['B', 'I', 'P', 'HTML', 'HEAD', 'BODY'].includes(element.tagName)) element.remove();
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  }
  return parsed.body.innerHTML;
}`;

export const safe: Record<string, Page> = {
  'writes an attribute of a value that is cut, without angle brackets and quotes': {
    script: `${params} const skin = (params.get('skin') ?? 'day').replace(/[<>"]/g, '').slice(0, 110); document.write('<link rel="stylesheet" href="/skins/' + skin + '.css">')`,
  },
  'writes what follows a parameter as browsers encode it': {
    body: '<form><select name="tongue" id="tongue"></select><button>Go</button></form>',
    script:
      "const at = location.href.indexOf('tongue='); if (at !== -1) document.write('<select><option>' + location.href.slice(at + 7) + '</option></select>')",
  },
  'shows base64 of the fragment as text': { script: `${out} if (hash) try { out.textContent = atob(hash) } catch {}` },
  'puts the last part of a fragment that a link names in as text': {
    body: '<a href="#show/news">News</a><div id="out"></div>',
    script: `${out} const [view, what] = hash.split('/'); if (view === 'show') out.textContent = what`,
  },
  'follows targets of its own origin, whatever they name': {
    script: `${params} const target = URL.parse(params.get('target') ?? '', location); if (target?.origin === location.origin && target.href.includes('http')) location.assign(target)`,
  },
  'loads what it encodes': {
    script: `if (location.hash) $('#out').load('/parts/' + encodeURIComponent(location.hash.slice(1)))`,
  },
  'puts a text in before a place as text, by jQuery': {
    script: `${params} $('#out').after(document.createTextNode(params.get('hint') ?? ''))`,
  },
  'puts its fragment in as text': { script: `${out} out.textContent = 'No piece ' + hash` },
  'puts its parameter in as text, by jQuery': { script: `${params} $('#out').text(params.get('notice'))` },
  'renders its fragment as a node of text': {
    script: `${out} out.replaceChildren(document.createElement('p'), document.createTextNode(hash))`,
  },
  'does not decode its fragment': { script: `document.getElementById('out').innerHTML = 'No piece ' + location.hash` },
  'escapes before it puts in': {
    script: `${out} out.innerHTML = hash.replace(/[&<>"']/g, (c) => '&#' + c.charCodeAt(0) + ';')`,
  },
  'sanitises what it puts in': { script: `${sanitizer} ${out} out.innerHTML = clean(hash)` },
  'asks for Trusted Types': {
    script: `${out} out.innerHTML = hash`,
    headers: { 'content-security-policy': "require-trusted-types-for 'script'" },
  },
  'puts a changed fragment in as text': {
    script: "addEventListener('hashchange', () => $('#out').text(decodeURIComponent(location.hash.slice(1))))",
  },
  'routes paths, and shows an unknown one as text': {
    script: "document.querySelector('#out').textContent = decodeURIComponent(location.pathname)",
    isSpa: true,
  },
  'shows an unknown path as it is in the address': {
    script: "document.querySelector('#out').innerHTML = location.pathname",
    isSpa: true,
  },
  'shows where its visitor is from, encoded': {
    script: "document.querySelector('#out').innerHTML = 'From ' + document.referrer",
  },
  'takes messages of its own origin': {
    script: `${out} addEventListener('message', (event) => { if (event.origin === location.origin) out.innerHTML = event.data })`,
  },
  'puts a message in as text': {
    script: `${out} addEventListener('message', (event) => { out.textContent = event.data })`,
  },
  'shows a preview as text on a click': {
    script: `${out} document.getElementById('show').onclick = () => { out.textContent = hash }`,
    body: '<button id="show">Show preview</button><div id="out"></div>',
  },
  'would write at a click': {
    script: `${out} document.getElementById('more').onclick = () => { fetch('/more', { method: 'POST' }); out.innerHTML = hash }`,
    body: '<button id="more">More</button><div id="out"></div>',
  },
  'hands its fragment to Vue as data': {
    script: `${out} Vue.createApp({ data: () => ({ hash }), template: '<p>{{ hash }}</p>' }).mount(out)`,
    library: 'vue',
  },
  'takes a number of JSON in the fragment': {
    script: `try { const state = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      document.querySelector('#out').innerHTML = '<h2>' + Number(state.heading) + '</h2>'; } catch {}`,
  },
  'loads modules of a list': {
    script: `${params} const parts = { one: '/js/app.js' }; const part = parts[params.get('part')]; if (part) import(part);`,
  },
  'has a policy that allows no inline script': {
    script: `${out} out.innerHTML = hash`,
    headers: { 'content-security-policy': "script-src 'self'" },
  },
  'follows addresses of the web only': {
    script: `${params} const next = params.get('next');
      if (next && new URL(next, location.href).protocol === 'http:' && next.startsWith('/')) location.href = next`,
  },
  'looks its fragment up in a list': {
    script: `${out} const tabs = { one: '<b>One</b>', two: '<b>Two</b>' }; out.innerHTML = tabs[hash] ?? tabs.one`,
  },
  'shows its fragment in a dialog, as a feature': { script: 'alert(decodeURIComponent(location.hash.slice(1)))' },
  'sends its address somewhere': { script: `fetch('/seen?page=' + encodeURIComponent(location.href))` },
};
