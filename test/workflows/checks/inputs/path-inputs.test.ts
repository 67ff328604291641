import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputUrl } from '../../../../workflows/checks/inputs/input-url.ts';
import { namedPaths, rootPath } from '../../../../workflows/checks/inputs/path-inputs.ts';
import type { PageSurface } from '../../../../workflows/model/surface.ts';

const test = suite('paths as inputs');

const pagesAt = (...urls: string[]): PageSurface[] =>
  urls.map((url) => ({
    url: new URL(url, 'https://shop.example').href,
    status: 200,
    contentType: 'text/html',
    headers: [],
    setCookies: [],
    title: '',
    scripts: [],
    source: '',
  }));
const routesOf = (pages: PageSurface[]) => namedPaths({ pages }).map(({ route, sample }) => `${route} ${sample}`);

test('names that stand in one folder are one input, with the first of them as its sample', () => {
  assert.equal(routesOf(pagesAt('/users/v1/ada', '/users/v1/bob', '/users/v1/carl')), ['/users/v1/{name} ada']);
});

test('a slash at the end stays there', () => {
  const [named] = namedPaths({ pages: pagesAt('/users/ada/', '/users/bob/', '/users/carl/') });
  assert.ok(named);
  assert.is(inputUrl(named, 'x'), 'https://shop.example/users/x/');
  assert.equal([named.route, named.sample], ['/users/{name}', 'ada']);
});

test('a folder below an identifier is one, whatever the identifier', () => {
  assert.equal(routesOf(pagesAt('/shops/17/lamps', '/shops/18/chairs', '/shops/18/desks')), [
    '/shops/{id}/{name} lamps',
  ]);
});

test('a name between parts that are the same is one, with its place', () => {
  const [named, ...others] = namedPaths({ pages: pagesAt('/lists/lamps/1', '/lists/rugs/2', '/lists/beds/3') });
  assert.ok(named);
  assert.equal([named.route, named.sample, others], ['/lists/{name}/{id}', 'lamps', []]);
  assert.is(inputUrl(named, 'x'), 'https://shop.example/lists/x/1');
});

const shaped = (pages: PageSurface[], ...shapes: number[][]): PageSurface[] =>
  pages.map((page, index) => ({ ...page, shape: Array.from({ length: 16 }, (_, at) => shapes[index]?.[at % 2] ?? 0) }));

test('two names that stand in one folder are one input where their pages are built alike', () => {
  const pages = pagesAt('/users/ada', '/users/bob');
  assert.equal(routesOf(shaped(pages, [1, 2], [1, 2])), ['/users/{name} ada']);
  assert.equal(routesOf(shaped(pages, [1, 2], [1, 3])), []);
});

for (const [what, pages] of Object.entries({
  'two pages of a folder of which nobody knows how they are built': pagesAt('/users/ada', '/users/bob'),
  'the same page with other parameters': pagesAt('/users/ada?a=1', '/users/ada?a=2', '/users/ada?a=3'),
  'parts between others that are not the same': pagesAt('/docs/guide/start', '/docs/api/keys', '/docs/cli/login'),
  'first parts of paths': pagesAt('/users/1', '/orders/2', '/lamps/3'),
  'two parts between others': pagesAt('/lists/lamps/1', '/lists/rugs/2', '/lists/rugs/3'),
  'pages at the root': pagesAt('/about', '/contact', '/terms'),
  files: pagesAt('/docs/a.pdf', '/docs/b.html', '/docs/c.txt'),
  'identifiers, which are inputs of the surface': pagesAt('/orders/17', '/orders/18', '/orders/19'),
  'pages that are not there': pagesAt('/users/ada', '/users/bob', '/users/carl').map((page) => ({
    ...page,
    status: 404,
  })),
})) {
  test(`${what} are no names`, () => assert.equal(routesOf(pages), []));
}

test('the folders with most pages come first', () => {
  const few = ['ada', 'bob', 'carl'].map((name) => `/users/${name}`);
  const many = ['desks', 'lamps', 'rugs', 'tables'].map((name) => `/goods/${name}`);
  assert.equal(routesOf(pagesAt(...few, ...many)), ['/goods/{name} desks', '/users/{name} ada']);
});

test('a value is put in the place of the name, and of the path below the root', () => {
  const [named] = namedPaths({ pages: pagesAt('/users/v1/ada', '/users/v1/bob', '/users/v1/carl') });
  assert.ok(named);
  assert.is(inputUrl(named, 'x%27'), 'https://shop.example/users/v1/x%27');
  assert.is(inputUrl(rootPath('https://shop.example'), 'x%27'), 'https://shop.example/x%27');
});

test.run();
