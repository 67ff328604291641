import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surface } from '../../../workflows/model/surface.ts';
import { chooseAddresses } from '../../../workflows/permissions/addresses.ts';
import { emptySurface } from '../support/checks.ts';

const test = suite('addresses of the permission matrix');
const site = 'https://shop.example';

type Seen = Record<string, Partial<Surface['pages'][number]>>;

const surface = (seen: Seen, skipped: Record<string, string> = {}): Surface => ({
  ...emptySurface(`${site}/`),
  pages: Object.entries(seen).map(([path, page]) => ({
    ...{
      url: site + path,
      status: 200,
      contentType: 'text/html',
      headers: [],
      setCookies: [],
      title: '',
      scripts: [],
      source: '/',
    },
    ...page,
  })),
  skipped: Object.entries(skipped).map(([path, reason]) => ({
    ...{ url: site + path, reason },
    code: reason.includes('excluded') ? 'excluded' : reason.includes('host') ? 'other-host' : 'would-act',
  })),
});
const seen = (...paths: string[]): Surface => surface(Object.fromEntries(paths.map((path) => [path, {}])));

const chosen = (surfaces: Record<string, Surface>, excludedPaths: string[] = []): string[] =>
  chooseAddresses(surfaces, excludedPaths, new Set(['/login'])).addresses.map(
    ({ url, linkedFor, untried }) =>
      `${url.slice(site.length)} [${linkedFor.map((name) => name || '-').join()}]${untried === undefined ? '' : ` ${untried}`}`,
  );

test('what some are led to comes before what everybody is', () => {
  assert.equal(chosen({ '': seen('/', '/login'), a: seen('/', '/account'), b: seen('/', '/account', '/team') }), [
    '/account [a,b]',
    '/team [b]',
    '/ [-,a,b]',
  ]);
});

test('what scripts of pages ask for is asked for, and whoever has such a page is led there', () => {
  const call = { method: 'GET', pageUrl: `${site}/account`, url: `${site}/api/orders` };
  const b = {
    ...seen('/account'),
    calls: [call, { ...call, method: 'POST' }, { ...call, url: 'https://other.example/api' }],
  };
  assert.equal(chosen({ '': seen(), a: seen('/account'), b }), ['/account [a,b]', '/api/orders [b]']);
});

test('pages to log in are left out, whatever they are asked to come back to', () => {
  assert.equal(chosen({ '': seen('/', '/login', '/login?next=%2Forders') }), ['/ [-]']);
});

test('of one kind of page there is one for each group of people who are led to it', () => {
  const orders = {
    '': seen(),
    a: seen('/orders/1', '/orders/2'),
    b: seen('/orders/3', '/orders/4'),
    admin: seen('/orders/1', '/orders/3'),
  };
  assert.equal(chosen(orders), ['/orders/1 [a,admin]', '/orders/2 [a]', '/orders/3 [b,admin]', '/orders/4 [b]']);
});

test('at most four of one kind, however many groups there are', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const surfaces = Object.fromEntries(names.map((name, index) => [name, seen(`/orders/${index}`)]));
  assert.is(chosen({ '': seen(), ...surfaces }).length, 4);
});

test('of a catalogue one page is enough, whoever else was led further into it', () => {
  const products = [1, 2, 3, 4, 5].map((number) => `/products/${number}`);
  assert.equal(chosen({ '': seen(...products), a: seen('/products/8') }), ['/products/1 [-]']);
});

test('an address with other parameters is of another kind', () => {
  assert.equal(chosen({ '': seen('/search', '/search?q=a', '/search?q=b') }), ['/search [-]', '/search?q=a [-]']);
});

test('what is missing for everybody, what pages are made of and what is for everybody by its purpose are left out', () => {
  const pages: Seen = {
    '/gone': { status: 404 },
    '/app.js': { contentType: 'text/javascript; charset=utf-8' },
    '/logo': { contentType: 'image/png' },
    '/robots.txt': { contentType: 'text/plain' },
    '/sitemap.xml': { contentType: 'application/xml' },
    '/prices.csv': { contentType: 'text/csv' },
  };
  assert.equal(chosen({ '': surface(pages) }), ['/prices.csv [-]']);
});

test('a page that refused who found it is asked for, though nobody was led to it', () => {
  assert.equal(chosen({ '': seen(), a: surface({ '/admin': { status: 403 } }) }), ['/admin []']);
});

test('what may do something is named and never asked for, even when somebody has fetched it', () => {
  const reason = 'it may do something: "logout"';
  const surfaces = {
    '': seen('/'),
    a: surface({}, { '/logout': reason, '/go?x=1': 'another host' }),
    b: seen('/orders/1/cancel'),
  };
  assert.equal(chosen(surfaces), [
    '/ [-]',
    `/logout [a] ${reason}`,
    '/orders/1/cancel [b] it may do something: "cancel"',
  ]);
});

test('what one visitor did not follow for its label, nobody is sent to', () => {
  const reason = 'it may do something: "Delete"';
  assert.equal(chosen({ '': seen(), a: surface({}, { '/items/7': reason }), b: seen('/items/7') }), [
    `/items/7 [a,b] ${reason}`,
  ]);
});

test('what the organisation excluded is named and not asked for', () => {
  const surfaces = { '': seen('/'), a: surface({}, { '/internal/x': 'the path is excluded' }) };
  assert.equal(chosen(surfaces, ['/internal']), ['/ [-]', '/internal/x [a] the organisation excluded it']);
});

test('at most 150 are asked for; those with few people first, and the rest is counted', () => {
  const words = Array.from(
    { length: 200 },
    (_, index) => `/page-${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`,
  );
  const { addresses, leftOut } = chooseAddresses({ '': seen(...words), a: seen('/account') }, [], new Set());
  assert.is(addresses.length, 150);
  assert.is(addresses[0]?.url, `${site}/account`);
  assert.equal(leftOut, { asked: 51, untried: 0 });
});

test('addresses that others of their kind speak for are counted, and those beyond thirty that are not asked for', () => {
  const items = Array.from({ length: 9 }, (_, index) => `/items/${index}`);
  const excluded = Array.from(
    { length: 33 },
    (_, index) => `/internal/x${'abcdefghijk'[index % 11]}${'abc'[Math.floor(index / 11)]}`,
  );
  const skipped = Object.fromEntries(excluded.map((path) => [path, 'the path is excluded']));
  const surfaces = { '': seen('/', ...items), a: surface({}, skipped) };
  const { alike, leftOut } = chooseAddresses(surfaces, ['/internal'], new Set());
  assert.equal([alike, leftOut], [8, { asked: 0, untried: 3 }]);
});

test.run();
