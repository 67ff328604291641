import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coverOf, type NamedPage, withAllRoutes } from '../../../../workflows/checks/client/script-cover.ts';

const test = suite('pages that stand for others with their scripts');

const pageWith = (url: string, file: string, fragments: string[]): NamedPage => ({
  ...{ url, scripts: [{ name: file, text: '' }], fragments: [], names: [] },
  hashRoutes: fragments.map((fragment) => ({ fragment, scripts: [] })),
});
const routesOf = (pages: NamedPage[]) => pages.map(({ hashRoutes }) => hashRoutes.map(({ fragment }) => fragment));

test('are looked at with the routes behind "#" that were used on those, each once', () => {
  const [first, other] = [pageWith('/', '/app.js', ['/', '/find']), pageWith('/shop', '/shop.js', ['/'])];
  const left = [
    pageWith('/orders', '/app.js', ['/', '/hello?name=Ina']),
    pageWith('/me', '/app.js', ['/hello?name=Ina']),
  ];
  assert.equal(routesOf(withAllRoutes([first, other], [first, other, ...left])), [
    ['/', '/find', '/hello?name=Ina'],
    ['/'],
  ]);
});

test('have nothing of a page with another script', () => {
  const [first, left] = [pageWith('/', '/app.js', ['/']), pageWith('/desk', '/desk.js', ['/keys'])];
  assert.equal(routesOf(withAllRoutes([first], [first, left])), [['/']]);
});

test('say which of their scripts are on few others, and which parameters no page before them has', () => {
  const layout = { name: '/layout.js', text: 'reads' };
  const page = (url: string, own: string[], names: string[] = []): NamedPage => ({
    ...{ url, fragments: [], hashRoutes: [], names },
    scripts: [layout, ...own.map((name) => ({ name, text: 'reads' }))],
  });
  const pages = [page('/', []), page('/a', []), page('/b', []), page('/c', ['/c.js']), page('/d', [], ['q'])];
  const chosen = coverOf(
    { leave: () => {} },
    pages,
    () => true,
    () => false,
  );
  assert.equal(
    chosen.map(({ url, anew, newNames }) => [url, anew.map(({ name }) => name), newNames]),
    [
      ['/', ['/layout.js'], []],
      ['/a', ['/layout.js'], []],
      ['/c', ['/c.js'], []],
      ['/d', [], ['q']],
    ],
  );
});

test('are looked at where a script asks for elements that none before them has', () => {
  const layout = { name: '/layout.js', text: "document.getElementById('map'); $('.chart > b')" };
  const page = (url: string, elements: string[]): NamedPage => ({
    ...{ url, fragments: [], hashRoutes: [], names: [], scripts: [layout], elements },
  });
  const pages = [
    page('/', ['#menu']),
    page('/a', ['#menu', '.chart']),
    page('/b', ['#menu', '.chart', '#other']),
    page('/c', ['#map']),
  ];
  const chosen = coverOf(
    { leave: () => {} },
    pages,
    () => true,
    () => false,
  );
  assert.equal(
    chosen.map(({ url }) => url),
    ['/', '/a', '/c'],
  );
});

test.run();
