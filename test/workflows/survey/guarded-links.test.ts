import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePage } from '../../../workflows/survey/page.ts';

const test = suite('links with the token of a form');

const token = 'k3J9q8Zx7VbNm2';
const form = (name: string, method = 'post', value = token) =>
  `<form method="${method}" action="/save"><input name="title"><input type="hidden" name="${name}" value="${value}"></form>`;
const links = (...queries: string[]) => queries.map((query) => `<a href="/x?${query}">x</a>`).join('');
const guardedOn = (html: string): string[] =>
  parsePage(html, 'http://site.example/').links.flatMap(({ url, acts }) =>
    acts === 'guards' ? [new URL(url).search.slice(1)] : [],
  );

test('take it to change something, whatever it is called there', () => {
  const html = `${form('REQUEST_TOKEN')}${links('id=5', `id=5&state=0&rt=${token}`, 'page=2', `u=4;e4f1=${token}`)}`;
  assert.equal(guardedOn(html), [`id=5&state=0&rt=${token}`, `u=4;e4f1=${token}`]);
});

test('are known by a name of the field that is made anew for each session', () => {
  assert.equal(guardedOn(`${form('e4f1c09ab')}${links('id=5', `id=5&t=${token}`)}`), [`id=5&t=${token}`]);
});

test('are others where the field names an object, or the form asks by GET', () => {
  const id = '3f2a9c71-0001-4c1d-9d00-1f2a9c710001';
  assert.equal(guardedOn(`${form('document', 'post', id)}${links(`id=${id}`, 'id=1')}`), []);
  assert.equal(guardedOn(`${form('token', 'get')}${links(`t=${token}`, 'id=1')}`), []);
});

test('say only whose session it is where most links of the page have it', () => {
  assert.equal(guardedOn(`${form('token')}${links(...[1, 2, 3, 4, 5].map((id) => `id=${id}&rt=${token}`))}`), []);
});

test.run();
