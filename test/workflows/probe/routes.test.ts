import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameRoute, normaliseRoute, programRoute } from '../../../workflows/probe/routes.ts';
import { further } from '../../support/further.ts';

const routes = suite('the normalised route');

const examples: [url: string, route: string][] = [
  ['https://shop.example/', '/'],
  ['https://shop.example', '/'],
  ['https://shop.example:8443/orders/17?page=2#top', '/orders/{id}'],
  ['/orders/17/', '/orders/{id}'],
  ['//orders//17', '/orders/{id}'],
  ['https://x/users/7f9c24e8-3b12-4fef-91e0-1c2b3a4d5e6f/edit', '/users/{id}/edit'],
  ['https://x/blob/da39a3ee5e6b4b0d3255bfef95601890afd80709', '/blob/{id}'],
  ['https://x/news/2024-05-12/all', '/news/{date}/all'],
  ['https://x/blog/how-to-bake-good-bread', '/blog/{slug}'],
  ['https://x/product-42/size_9', '/product-{id}/size_{id}'],
  ['https://x/static/main.3f2a9c1b.js', '/static/main.{id}.js'],
  ['https://x/files/123.pdf', '/files/{id}.pdf'],
  ['https://x/u/jane@example.com', '/u/{id}'],
  ['https://x/@jane', '/{id}'],
  ['https://x/news/@@search?text=tea', '/news/@@search'],
  ['https://x/news/%40%40overview-controlpanel', '/news/@@overview-controlpanel'],
  ['https://x/cart;jsessionid=0A1B2C', '/cart'],
  ['https://x/t/V1StGXR8_Z5jdHi6B-myT', '/t/{id}'],
  ['https://x/about-us', '/about-us'],
  ['https://x/terms-of-service', '/terms-of-service'],
  ['https://x/api/v2/health', '/api/v2/health'],
  ['https://x/index.php', '/index.php'],
  ['https://x/%zz', '/%zz'],
];

for (const [url, route] of examples) routes(`of ${url} is ${route}`, () => assert.is(normaliseRoute(url), route));

const id = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 12 }).map(String),
  fc.constant(null).map(() => randomUUID()),
  fc.integer({ min: 16, max: 32 }).map((length) => randomBytes(length).toString('hex')),
);
const word = fc.constantFrom('orders', 'users', 'api', 'v1', 'item', 'edit', 'a', 'about-us', 'index.html', 'page.php');

further(routes)('does not depend on identifiers, host, port, query, fragment or trailing slash', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.constant(':id')), { maxLength: 6 }),
      id,
      id,
      fc.webQueryParameters(),
      (parts, one, two, query) => {
        const path = (value: string) => parts.map((part) => (part === ':id' ? value : part)).join('/');
        const first = normaliseRoute(`https://shop.example/${path(one)}`);
        assert.is(normaliseRoute(`http://other.example:8080/${path(two)}/?${query}#x`), first);
        assert.is(first, `/${path('{id}')}`);
      },
    ),
  );
});

routes('of a route is that route, whatever the URL', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (url) => {
      const route = normaliseRoute(url);
      assert.is(normaliseRoute(route), route);
    }),
    { numRuns: 1000 },
  );
});

routes('keeps names of words with a number behind some of them, and folds random text', () => {
  for (const name of ['oauth2-callback', 'sqlite3-statement', 'base64-decoder'])
    assert.is(normaliseRoute(`https://shop.example/${name}/`), `/${name}`);
  for (const random of ['V1StGXR8_Z5jdHi6', 'k3q9zt-x81mv0-wq', '01ARZ3NDEKTSV4RRFFQ6'])
    assert.is(normaliseRoute(`https://shop.example/${random}`), '/{id}');
});

routes('keeps the names of programs and of the folders that they lie in, and no random text', () => {
  const kept = [
    '/Search-Evaluation-GET-500Error/Case07-NumericSearch-Inject.jsp',
    '/lists-200/Case12-View-String.jsp',
    '/lists/Case06-InJsDoubleQuotedString.php',
    '/lists/Case17-XMLTextById.jsp',
    '/a/Report00012',
    '/a/one-two-three-four.php',
  ];
  for (const path of kept) for (const routeOf of [programRoute, nameRoute]) assert.is(routeOf(path), path);
  assert.is(programRoute('/f/dQw4w9WgXcQx7Tz1/index.jsp'), '/f/{id}/index.jsp');
  assert.is(programRoute('/f/dQw4w9WgXcQx7Tz1.jsp'), '/f/{id}.jsp');
  assert.is(programRoute('/blog/how-to-bake-good-bread/comments'), '/blog/{slug}/comments');
  assert.is(programRoute('/orders/17/Case07-NumericSearch-Inject.jsp'), '/orders/{id}/Case07-NumericSearch-Inject.jsp');
});

routes('keeps files of programs that are named by words and numbers, and no random text', () => {
  for (const path of ['/forms/Case01-Guestbook.php', '/a/Case06-InJsDoubleQuotedString.php'])
    assert.is(normaliseRoute(path), path);
  for (const random of ['dQw4w9WgXcQx7Tz1', 'V1StGXR8_Z5jdHi6B-myT', 'kX9pQmZ72vLbTeRs'])
    assert.is(normaliseRoute(`/f/${random}.php`), '/f/{id}.php');
});

routes.run();
