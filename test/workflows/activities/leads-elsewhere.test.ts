import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leadsElsewhere } from '../../../workflows/activities/leads-elsewhere.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const test = suite('a site that leads elsewhere');

const leftOf = async (site: Site) => leadsElsewhere(await surveyOf(site)).map(({ code, text }) => [code, text]);
const to = (location: string) => ({ status: 302, location });

test('is a gap that names the address, where nothing else is seen', async () => {
  const left = await leftOf((path) => to(`https://www.shop.example${path}`));
  assert.equal(left, [['leads_elsewhere', 'the site leads to https://www.shop.example: scan that address']]);
});

test('is none where it has a page of its own, or leads to one of them', async () => {
  const missing = { status: 404, body: 'Not found' };
  const own = await leftOf((path) =>
    path === '/robots.txt'
      ? { type: 'text/plain', body: 'Disallow: /shop' }
      : path === '/'
        ? to('https://www.shop.example/')
        : path === '/shop'
          ? '<h1>Shop</h1>'
          : missing,
  );
  assert.equal(own, []);
  assert.equal(await leftOf((path) => (path === '/' ? to('/shop') : path === '/shop' ? '<h1>Shop</h1>' : missing)), []);
});

test('is a gap where its only page leads to another name of it, and none where that is another site or one link', async () => {
  const page =
    (...links: string[]) =>
    (path: string) =>
      path === '/' ? links.map((link) => `<a href="${link}">x</a>`).join(' ') : { status: 404, body: 'Not found' };
  const below = (origin: string) => ['/a', '/b', '/c'].map((path) => origin + path);
  assert.equal(await leftOf(page(...below('http://127.0.0.1:8080'))), [
    ['leads_elsewhere', 'the pages name 3 addresses of http://127.0.0.1:8080: scan that address'],
  ]);
  assert.equal((await leftOf(page(...below('https://www.shop.localhost')))).length, 1);
  assert.equal(await leftOf(page(...below('https://code.example'))), []);
  assert.equal(await leftOf(page('http://127.0.0.1:8080/a')), []);
});

test('is a gap where its only page leads to a name that the program was told is its own, at its port', async () => {
  const leading =
    (name: (port: string) => string): Site =>
    (path, { port }) =>
      path === '/'
        ? ['/a', '/b', '/c'].map((link) => `<a href="http://${name(port)}${link}">x</a>`).join(' ')
        : { status: 404, body: 'Not found' };
  assert.equal((await leftOf(leading((port) => `shop.internal:${port}`))).length, 1);
  assert.equal(await leftOf(leading(() => 'shop.internal')), []);
});

test('is a gap where its few pages lead to many of another name for it, and none where that may be another site', async () => {
  const site =
    (origin: string): Site =>
    (path) =>
      path === '/'
        ? '<a href="/menu">Menu</a>'
        : path === '/menu'
          ? Array.from({ length: 5 }, (_, at) => `<a href="${origin}/page${at}">x</a>`).join(' ')
          : { status: 404, body: 'Not found' };
  assert.equal((await leftOf(site('http://shop.localhost:8080'))).length, 1);
  assert.equal(await leftOf(site('https://docs.shop.example')), []);
});

test.run();
