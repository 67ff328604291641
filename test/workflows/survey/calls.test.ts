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

test('queries of GraphQL for different fields are kinds of their own, although all go to one address', () => {
  const calls = createCallList();
  const headers: [string, string][] = [['content-type', 'application/json']];
  for (const [query, id] of [
    ['{viewer{name}}'],
    ['query($id:ID!){claim(id:$id){amount}}', '7'],
    ['query($id:ID!){claim(id:$id){amount}}', '8'],
    ['{viewer{name claims{id}}}'],
  ]) {
    const body = JSON.stringify({ query, ...(id !== undefined && { variables: { id } }) });
    calls.add({ url: `${page}graphql`, method: 'POST', headers, body, refused: false }, page);
  }
  assert.equal(
    calls.all().map(({ body = '' }) => JSON.parse(body).variables?.id),
    [undefined, '7'],
  );
});

test.run();
