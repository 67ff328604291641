import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressWith, type Entrance, entering, placeOf } from '../../../../workflows/checks/client/entrances.ts';

const test = suite('ways into the script of a page');

const pageUrl = 'https://shop.example/find?q=oak%20table&page=2#top';
const fragment = (before: string): Entrance => ({ in: 'fragment', pageUrl, before });
const query = (parameter: string): Entrance => ({ in: 'query', pageUrl, parameter });
const payload = `'"><img src=x onerror=alert(/‹nonce›/.source)>`;

const addresses: [Entrance, string][] = [
  [
    fragment(''),
    `https://shop.example/find?q=oak%20table&page=2#'%22%3E%3Cimg%20src=x%20onerror=alert(/‹nonce›/.source)%3E`,
  ],
  [
    fragment('error='),
    `https://shop.example/find?q=oak%20table&page=2#error=%27%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(/‹nonce›/.source)%3E`,
  ],
  [query('q'), `https://shop.example/find?q=%27%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(/‹nonce›/.source)%3E&page=2`],
  [
    query('note'),
    `https://shop.example/find?q=oak%20table&page=2&note=%27%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(/‹nonce›/.source)%3E`,
  ],
];

for (const [entrance, address] of addresses) {
  test(`a value goes into ${JSON.stringify({ ...entrance, pageUrl: '' })}, and references stay`, () => {
    assert.is(addressWith(entrance, payload), address);
    const url = new URL(addressWith(entrance, payload).replace('‹nonce›', 'n1'));
    const text = entrance.in === 'query' ? url.searchParams.get(entrance.parameter) : decodeURIComponent(url.hash);
    assert.ok(text?.endsWith(payload.replace('‹nonce›', 'n1')), String(text));
  });
}

test('the name of a window is that of a link on a page of our own', () => {
  const address = addressWith({ in: 'name', pageUrl }, payload);
  const page = decodeURIComponent(address.replace('data:text/html,', ''));
  assert.match(page, `href="https://shop.example/find?q=oak%20table&amp;page=2"`);
  assert.match(page, `target="'&quot;><img src=x onerror=alert(/‹nonce›/.source)>"`);
});

test('a member of JSON and a piece of a path are what their script decodes', () => {
  const json = new URL(addressWith({ in: 'json', pageUrl, member: 'title' }, payload));
  assert.equal(JSON.parse(decodeURIComponent(json.hash.slice(1))), { title: payload });
  const path = new URL(addressWith({ in: 'path', pageUrl, folder: '/find/' }, payload));
  assert.is(path.pathname.split('/').length, 3);
  assert.is(decodeURIComponent(path.pathname), `/find/${payload}`);
  assert.is(path.search, '');
});

test('a change of the fragment is two links to the same window', () => {
  const { url, clicks, page } = entering({ in: 'change', pageUrl, before: '/' }, payload);
  const text = decodeURIComponent(url.replace('data:text/html,', ''));
  assert.equal([clicks?.length, page, text.match(/target="opened"/g)?.length], [2, undefined, 2]);
  assert.match(text, 'href="https://shop.example/find?q=oak%20table&amp;page=2#/');
});

test('the page before is one of nobody’s, which sends its whole address', () => {
  const { url, clicks, page } = entering({ in: 'referrer', pageUrl }, payload);
  assert.is(new URL(url.replaceAll('‹nonce›', 'n1')).searchParams.get('q'), payload.replaceAll('‹nonce›', 'n1'));
  assert.equal([new URL(url.replaceAll('‹nonce›', 'n1')).host, clicks], ['n1.invalid', ['a']]);
  assert.match(page ?? '', /unsafe-url[\s\S]*href="https:\/\/shop\.example\/find/);
});

test('each has a name for the report', () => {
  assert.equal(placeOf(fragment('')), { parameter: 'fragment', parameterIn: 'fragment' });
  assert.equal(placeOf(fragment('/')), { parameter: 'fragment', parameterIn: 'fragment' });
  assert.equal(placeOf(fragment('error=')), { parameter: 'error', parameterIn: 'fragment' });
  assert.equal(placeOf(query('q')), { parameter: 'q', parameterIn: 'query' });
  assert.equal(placeOf({ in: 'name', pageUrl }), { parameter: 'window.name' });
  assert.equal(placeOf({ in: 'referrer', pageUrl }), { parameter: 'document.referrer' });
  assert.equal(placeOf({ in: 'path', pageUrl, folder: '/' }), { parameter: 'path', parameterIn: 'path' });
  assert.equal(placeOf({ in: 'json', pageUrl, member: 'a' }), { parameter: 'a', parameterIn: 'fragment' });
  assert.equal(placeOf({ in: 'change', pageUrl, before: '' }), { parameter: 'fragment', parameterIn: 'fragment' });
});

test.run();
