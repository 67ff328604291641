import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { domXss } from '../../../../workflows/checks/client/dom-xss.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn, stored, testBrowsers } from '../harness.ts';
import { app, jquery, js, out, params } from './dom-xss-pages.ts';
import { type Results, result, resultsOf, testPages } from './dom-xss-results.ts';

/** Of each kind of source and of sink one page, and the commonest reasons why a page is safe; `npm run test:long` has all. */
const usual = ['a fragment that innerHTML takes', 'a link back that is clicked', 'puts its fragment in as text'];

const test = suite<{ browsers: BrowserPool; results: Results }>('client.dom-xss');
test.before(async (context) => {
  context.browsers = testBrowsers();
  context.results = await resultsOf(context.browsers, usual);
});
test.after(({ browsers }) => browsers.close());
testPages(test, usual);

/** A search whose server puts the term into the page, and whose script reads the address. */
const search =
  (echo: (q: string) => string, script: string): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/find?q=lamp">Lamps</a>');
    if (path === '/js/find.js') return js(script);
    if (path !== '/find') return undefined;
    return html(`<p>${echo(query.get('q') ?? '')}</p><b id="out"></b><script src="/js/find.js"></script>`);
  };
const showsTerm = `${params} document.getElementById('out').innerHTML = params.get('q')`;

further(test)('what the server puts into the page is not taken for the work of its script', async ({ browsers }) => {
  const reading = await result(browsers, search(String, 'console.log(location.search)'));
  const both = await result(browsers, search(String, showsTerm));
  assert.equal([reading.outcome.kind, both.outcome.kind], ['clean', 'clean']);
});

further(test)('a term that the server escapes and the script does not is found', async ({ browsers }) => {
  const found = await result(browsers, search(escapeHtml, showsTerm));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /find q']], found.outcome.reason);
});

further(test)(
  'an answer that the script evaluates, with quotes escaped and backslashes not, is found',
  async ({ browsers }) => {
    const site =
      (literal: (term: string) => string): Handler =>
      ({ path, query, target }) => {
        if (path === '/') return html('<a href="/find?term=lamp">Lamps</a>');
        if (path === '/find') return html('<p id="out"></p><script src="/js/find.js"></script>');
        if (path === '/js/find.js')
          return js(`fetch('/answer' + location.search).then((answer) => answer.text()).then((text) => {
          eval('var found = ' + text); document.getElementById('out').textContent = found.term })`);
        // Some servers drop a pair that has a semicolon in it.
        const term = target.includes(';') ? '' : (query.get('term') ?? '');
        return path === '/answer'
          ? { headers: { 'content-type': 'application/json' }, body: `{"count":0,"term":${literal(term)}}` }
          : undefined;
      };
    const weak = await result(
      browsers,
      site((term) => `"${term.replaceAll('"', '\\"')}"`),
    );
    const patched = await result(browsers, site(JSON.stringify));
    assert.equal([places(weak), places(patched)], [['GET /find term'], []], weak.outcome.reason);
  },
);

further(test)(
  'of numbered pages each that has script of its own is opened, and what a page has only behind its form',
  async ({ browsers }) => {
    const inline = (script: string) => html(`<div id="out"></div><script>${script}</script>`);
    const site =
      (set: string): Handler =>
      ({ path, query }) => {
        if (path === '/') return html('<a href="/part/1">1</a> <a href="/part/2">2</a> <a href="/part/3">3</a>');
        if (path === '/part/1') return inline(`${out} out.textContent = 'Nothing of ' + hash`);
        if (path === '/part/2') return inline(`${out} out.${set} = hash`);
        if (path !== '/part/3') return undefined;
        if (!query.has('id')) return html('<form><input name="id"><button>Go</button></form>');
        return inline(`${out} out.${set} = '<i>' + hash + '</i>'`);
      };
    const weak = await result(browsers, site('innerHTML'));
    const found = weak.findings.flatMap(({ locations = [] }) => locations.map(({ url = '' }) => new URL(url).pathname));
    assert.equal(found.toSorted(), ['/part/2', '/part/3'], weak.outcome.reason);
    assert.is((await result(browsers, site('textContent'))).outcome.kind, 'clean');
  },
);

further(test)(
  'a value that the server escapes in an attribute, and a script takes from there for markup, is found',
  async ({ browsers }) => {
    const site =
      (put: string): Handler =>
      ({ path, query }) => {
        if (path === '/') return html('<a href="/card?who=Ada">Ada</a>');
        const card = `<div id="card" data-who="${escapeHtml(query.get('who') ?? '')}"></div>`;
        return path === '/card' ? html(`${card}<script>card.${put} = card.dataset.who</script>`) : undefined;
      };
    const [found, patched] = [await result(browsers, site('innerHTML')), await result(browsers, site('textContent'))];
    assert.equal([places(found), places(patched)], [['GET /card who'], []], found.outcome.reason);
  },
);

further(test)(
  'scripts of several pages that a library puts markup in for are found each, and the one of a layout once',
  async ({ browsers }) => {
    const library = '/js/jquery.min.js';
    const own = { '/new': "$('#box').prepend(topic)", '/old': "$('#list').append(topic)" };
    const site =
      (script: (path: string) => string): Handler =>
      ({ path }) => {
        if (path === library) return js(jquery);
        if (path === '/js/layout.js') return js(`const topic = ${topic}; $('#box').prepend(topic)`);
        if (path === '/') return html('<a href="/new">New</a> <a href="/old">Old</a>');
        if (!Object.hasOwn(own, path)) return undefined;
        return html(`<p id="box"></p><ul id="list"></ul><script src="${library}"></script>${script(path)}`);
      };
    const topic = "new URLSearchParams(location.search).get('topic') ?? ''";
    const inPages = Object.entries(own);
    const each = await result(
      browsers,
      site((path) => `<script>const topic = ${topic}; ${inPages.find(([name]) => name === path)?.[1]}</script>`),
    );
    const once = await result(
      browsers,
      site(() => '<script src="/js/layout.js"></script>'),
    );
    const found = places(each).toSorted();
    assert.equal([found, once.findings.length], [['GET /new topic', 'GET /old topic'], 1], each.outcome.reason);
  },
);

const layouts = {
  'a file': (code: string) => [`<script src="/js/app.js"></script>`, js(code)] as const,
  'its text in each page': (code: string) => [`<script>${code}</script>`, undefined] as const,
};
for (const [kind, layout] of Object.entries(layouts))
  further(test)(`a script in the layout of all pages is one finding: ${kind}`, async ({ browsers }) => {
    const [tag, file] = layout("document.body.append(''); document.body.innerHTML += decodeURI(location.hash)");
    const found = await result(browsers, ({ path }) => {
      if (path === '/js/app.js') return file;
      const own = `<script>console.log('${path}')</script>`;
      return /^\/(?:[a-f]{0,3})$/.test(path)
        ? html(`<a href="/a">a</a><a href="/b?of=1">b</a><a href="/c">c</a>${own}${tag}`)
        : undefined;
    });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });

further(test)(
  'pages whose script gives something to a sink are looked at first, and all of a small site',
  async ({ browsers }) => {
    const last = 11;
    const names = Array.from({ length: last + 1 }, (_, index) => `/tools/${'abcdefghijkl'[index]}`);
    const found = await result(browsers, ({ path }) => {
      if (path === '/') return html(names.map((name) => `<a href="${name}">x</a>`).join(''));
      const index = names.indexOf(path);
      if (index === -1) return undefined;
      const use = index === last ? 'out.innerHTML = decodeURIComponent(text)' : `out.title = text + ${index}`;
      return html(`<b id="out"></b><script>const text = location.hash.slice(1); ${use};</script>`);
    });
    assert.equal(places(found), [`GET ${names[last]} fragment`], found.outcome.reason);
    assert.equal(found.outcome.reason, '');
  },
);

further(test)(
  'a script of all pages that loads another for an element of one page, with a scheme removed once, is found',
  async ({ browsers }) => {
    const names = ['/a', '/b', '/map', '/z'];
    const site =
      (start: string): Handler =>
      ({ path }) => {
        if (path === '/js/site.js')
          return js(`const chart = document.getElementById('chart'), from = new URLSearchParams(location.search).get('from');
            if (chart) { const part = document.createElement('script'); part.src = ${start} + 'chart.js'; document.body.append(part) }`);
        if (path !== '/' && !names.includes(path)) return undefined;
        const links = names.map((name) => `<a href="${name}">x</a>`).join('');
        return html(`${links}${path === '/map' ? '<p id="chart"></p>' : ''}<script src="/js/site.js"></script>`);
      };
    const found = await result(browsers, site("(from ?? '/js/').replace(/^(?:data|javascript):/i, '')"));
    const patched = await result(browsers, site("'/js/' + encodeURIComponent(from ?? '')"));
    assert.equal([places(found), places(patched)], [['GET /map from'], []], found.outcome.reason);
  },
);

test('the fact is an address with a place for another script, unless something has to be clicked', ({ results }) => {
  const fragment = results.get('a fragment that innerHTML takes');
  assert.equal(
    fragment?.facts.map(({ kind }) => kind),
    ['script-execution'],
  );
  assert.match(fragment?.facts[0]?.attributes.address ?? '', /\/app#.*onerror.*alert\(‹script›\)/);
  assert.match(fragment?.findings[0]?.description ?? '', '"/js/app.js"');
  assert.equal(results.get('a link back that is clicked')?.facts, []);
});

further(test)('the proof shows the address, the dialog and its control', async ({ browsers }) => {
  const found = await result(browsers, search(escapeHtml, showsTerm));
  const [finding] = found.findings;
  assert.is(finding?.proof?.trials, 2);
  assert.equal([finding?.proof?.steps?.length, finding?.proof?.control?.length], [2, 1]);
  assert.match(stored(found), /dialog: [a-z0-9]{10}/);
});

test('a site without script has nothing to look at, and without a browser nothing is looked at', async ({
  browsers,
}) => {
  const none = await result(browsers, () => html('hello'));
  const site = await startSite(app({ script: `${out} out.innerHTML = hash` }));
  try {
    const { outcome } = await runOn(site.url, domXss);
    assert.equal([none.outcome.kind, outcome.kind], ['not-applicable', 'not-run']);
    assert.match(outcome.reason, /browser/);
  } finally {
    await site.close();
  }
});

test.run();
