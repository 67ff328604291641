import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCallList } from '../../../workflows/survey/calls.ts';

const test = suite('the requests of scripts');

const page = 'https://app.example/';
const urlsOf = (addresses: readonly string[]): string[] => {
  const calls = createCallList();
  for (const address of addresses)
    calls.add({ url: new URL(address, page).href, method: 'GET', headers: [], refused: false }, page);
  return calls.all().map(({ url }) => url.replace(page, '/'));
};

test('that keep caches from answering by a number of their own are one kind', () => {
  const times = [1_795_997_803_471, 1_795_997_805_756, 1_795_997_809_130];
  const [first = ''] = times.map((time) => `/api/things?all=1&${time}`);
  assert.equal(urlsOf(times.map((time) => `/api/things?all=1&${time}`)), [first]);
  assert.is(urlsOf(times.map((time) => `/api/me?${time}`)).length, 1);
});

test('with different names of parameters are kinds of their own', () => {
  const addresses = ['/api/things?all=1', '/api/things?mine=1', '/api/things?1795997803471&mine=1', '/api/things'];
  assert.equal(urlsOf(addresses), addresses);
});

test.run();
