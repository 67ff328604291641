import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surface } from '../../../workflows/model/surface.ts';
import { createCallList } from '../../../workflows/survey/calls.ts';
import { createInputList } from '../../../workflows/survey/inputs.ts';
import { parsePage } from '../../../workflows/survey/page.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { further } from '../../support/further.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const browsers = testBrowsers();
const left = suite('what a survey has no room for');

const html = (body: string) => `<!doctype html><title>x</title>${body}`;
const site =
  (pages: Record<string, ReturnType<Site>>): Site =>
  (path) =>
    pages[path] ?? { status: 404 };

const reported = ({ omitted }: Pick<Surface, 'omitted'>) => omitted.map(({ code, count }) => [code, count]);
const many = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, at) => make(at));

further(left)('is counted: links of a script, of a site map and of JSON', async () => {
  const paths = many(5_010, (index) => `/p/${index}`);
  const documents: [path: string, type: string, body: string][] = [
    ['/app.js', 'text/javascript', JSON.stringify(paths)],
    ['/sitemap.xml', 'application/xml', paths.map((path) => `<loc>http://shop.example${path}</loc>`).join('')],
    ['/list', 'application/json', JSON.stringify(paths)],
  ];
  for (const [path, type, body] of documents) {
    const links = html('<script src="/app.js"></script><a href="/list">x</a>');
    const surface = await surveyOf(site({ '/': links, [path]: { type, body } }));
    // The first of a site map lead to another host there.

    assert.equal(
      reported(surface).filter(([code]) => code === 'too_many'),
      [['too_many', 10]],
      path,
    );
  }
});

left('is no page for being the eleventh site map that robots.txt names', async () => {
  const robots = many(12, (index) => `Sitemap: /map${'abcdefghijkl'[index]}.xml`).join('\n');
  const surface = await surveyOf(site({ '/': html('x'), '/robots.txt': { type: 'text/plain', body: robots } }));
  assert.ok(surface.asked.includes('GET /mapl.xml'));
});

further(left)('makes a page one that was read in part, when it has more forms or fields than fit', async () => {
  const field = (index: number) => `<input name="f${index}">`;
  const pages = {
    '/': html('<a href="/forms">x</a><a href="/fields">x</a>'),
    '/forms': html(many(201, (index) => `<form action="/f${index}"><input name=q></form>`).join('')),
    '/fields': html(`<form method=post>${many(201, field).join('')}</form>`),
  };
  const surface = await surveyOf(site(pages));
  assert.equal(
    reported(surface).filter(([code]) => code === 'page_cut'),
    [['page_cut', 2]],
  );
});

left('is a stream of messages, which has no end, and no page that was read in part', async () => {
  const messages = 'data: news\n\n'.repeat(600_000);
  const surface = await surveyOf(
    site({ '/': html('<a href="/news">x</a>'), '/news': { type: 'text/event-stream', body: messages } }),
  );
  assert.ok(surface.asked.includes('GET /news'));
  assert.equal(reported(surface), [['live_messages', 1]]);
});

left('is counted: values of bodies that are too many, too deep or too long', () => {
  const url = 'https://shop.example/api';
  const sent = (contentType: string, body: string) => ({ method: 'POST', url, contentType, body });
  const json = (value: unknown) => sent('application/json', JSON.stringify(value));
  const inputs = createInputList();
  inputs.addBody(sent('application/x-www-form-urlencoded', many(43, (index) => `f${index}=1`).join('&')));
  inputs.addBody(json(Object.fromEntries(many(42, (index) => `m${index}`).map((name) => [name, 'x']))));
  inputs.addBody(json({ a: { b: { c: { d: { e: { f: { g: 'deep' } } } } } } }));
  inputs.addBody(json({ text: 'x'.repeat(20_000) }));
  assert.equal(inputs.left(), [
    {
      code: 'too_many',
      count: 3 + 2 + 1 + 1,
      text: '7 inputs were not taken up: of the body of a request it takes up 40 values, 6 levels deep, if it has 16,384 characters at most',
    },
  ]);
});

left('is counted: bodies of requests of scripts beyond a size of all together', () => {
  const list = createCallList();
  const request = { method: 'POST', headers: [], refused: false, body: 'x'.repeat(16 * 1024) };
  for (let index = 0; index < 70; index++)
    list.add(
      { ...request, url: `http://shop.example/${'abcdefghij'[index % 10]}/${'klmnopq'[Math.floor(index / 10)]}` },
      '',
    );
  assert.equal(reported({ omitted: list.left() }), [['too_many', 6]]);
});

left('makes a page one that was read in part, when it nests HTML in attributes too deep', () => {
  const within = (html: string) =>
    `<iframe srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
  const link = '<img src="/deep.png">';
  assert.ok(parsePage(within(within(link)), 'http://shop.example/').complete);
  assert.not(parsePage(within(within(within(link))), 'http://shop.example/').complete);
});

left('is counted: an address in an attribute that is too long for one', async () => {
  const surface = await surveyOf(site({ '/': html(`<img src="/${'x'.repeat(3_000)}">`) }));
  assert.equal(
    reported(surface).filter(([code]) => code === 'odd_address'),
    [['odd_address', 1]],
  );
});

left('is counted: requests of scripts to one route beyond a bound', async () => {
  const script = 'for (let i = 0; i < 40; i++) fetch("/list/" + i + "0")';
  const surface = await surveyOf(site({ '/': html(`<script>${script}</script>`) }), {}, { browsers });
  assert.ok(
    surface.omitted.some(({ code, count, text }) => code === 'alike' && count === 10 && text.includes('request')),
  );
});

left('are pages that no browser has used, and no other visitor takes them for used', async () => {
  const surface = await surveyOf(site({ '/': html('<script>fetch("/x")</script>') }));
  assert.equal(surface.explored, []);
  assert.ok(reported(surface).some(([code]) => code === 'browser_unavailable'));
});

left('is counted: bodies that a script sends', async () => {
  const script = `fetch('/api', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({q: 'x'.repeat(20000)})})`;
  const surface = await surveyOf(site({ '/': html(`<script>${script}</script>`) }), {}, { browsers });
  assert.equal(
    reported(surface).filter(([code]) => code === 'too_many'),
    [['too_many', 1]],
  );
});

left.after(() => browsers.close());

left.run();
