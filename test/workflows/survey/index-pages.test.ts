import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createIndexPages } from '../../../workflows/survey/index-pages.ts';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('pages of a folder and of its file');

const parts = [
  'boats',
  'crews',
  'routes',
  'fees',
  'tides',
  'maps',
  'clubs',
  'dates',
  'rules',
  'photos',
  'press',
  'jobs',
];

test('are one where both show the same, so that its inputs are taken up once', async () => {
  let asked = 0;
  const surface = await surveyOf((path, { searchParams }) => {
    if (path !== '/' && path !== '/index.php') return { status: 404 };
    asked += 1;
    const part = searchParams.get('part') ?? 'home';
    const links = parts.map((each) => `<a href="?part=${each}&id=3">${each}</a>`).join('');
    return `<h1>${part} ${searchParams.get('id')}</h1><a href="index.php">Home</a>${links}`;
  });
  assert.equal(
    surface.inputs.flatMap(({ in: place, parameter, url }) =>
      place === 'query' && parameter === 'id' ? new URL(url).pathname : [],
    ),
    ['/'],
  );
  assert.ok(asked < parts.length + 10, String(asked));
});

test('are two where they differ', async () => {
  const surface = await surveyOf((path, { searchParams }) =>
    path === '/'
      ? '<h1>Welcome</h1><a href="/index.php?id=3">Shop</a><a href="/?id=4">News</a>'
      : path === '/index.php'
        ? `<h1>Boat ${searchParams.get('id')}</h1><a href="?id=5">Next</a>`
        : { status: 404 },
  );
  const paths = surface.inputs.flatMap(({ parameter, url }) => (parameter === 'id' ? new URL(url).pathname : []));
  assert.equal(paths.toSorted(), ['/', '/index.php']);
});

test('have addresses that differ in the name of the file alone', () => {
  const pages = createIndexPages();
  pages.alike('http://a.example/shop/index.php?x=1', 'http://a.example/shop/?x=1');
  pages.alike('http://a.example/index.php', 'http://a.example/news/');
  assert.equal(
    ['/shop/index.php?y=2', '/shop/index.php/?y=2', '/shop/index.php/3', '/index.php?y=2', '/shop/other.php'].map(
      (path) => pages.byFolder(`http://a.example${path}`).replace('http://a.example', ''),
    ),
    ['/shop/?y=2', '/shop/?y=2', '/shop/index.php/3', '/index.php?y=2', '/shop/other.php'],
  );
});

test.run();
