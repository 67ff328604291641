import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesOfTag } from '../../../../workflows/survey/addresses/tag.ts';

const test = suite('addresses of a tag');
const urlsOf = (name: string, attributes: Record<string, string>) =>
  addressesOfTag(name, new Map(Object.entries(attributes))).urls;

test('an attribute of any name may hold an address', () => {
  assert.equal(urlsOf('div', { 'data-load': '/parts/news', title: '/not/here' }), ['/parts/news']);
});

test('a random name of an element that begins with a slash is none', () => {
  assert.equal(urlsOf('label', { for: '/Xs4Dcc=', 'aria-controls': '/panel/one' }), []);
  assert.equal(urlsOf('div', { 'data-token': '/8Da1NI=' }), []);
  assert.equal(urlsOf('div', { 'data-load': '/list?part=' }), ['/list?part=']);
});

test.run();
