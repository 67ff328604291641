import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ClientCalls } from '../../../workflows/survey/addresses/client-calls.ts';
import { createClientAddresses } from '../../../workflows/survey/client-addresses.ts';

const page = 'http://shop.localhost/';
const nothing: ClientCalls = { bases: [], wrapped: [], asked: [], others: [], left: 0 };
const named = (count: number, nameOf: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => nameOf(at));

const test = suite('addresses of an API’s client');

test('a base of one file is put before the calls of others, each once', () => {
  const client = createClientAddresses();
  assert.equal(client.read({ ...nothing, asked: ['/orders'] }, page), { addresses: [], left: 0 });
  const { addresses } = client.read({ ...nothing, bases: ['/api'] }, page);
  assert.equal(addresses, [{ url: `${page}api/orders`, isMade: false }]);
  assert.equal(client.read({ ...nothing, bases: ['/api'], asked: ['/orders', '/api/carts'] }, page).addresses, []);
});

test('many files with many bases and calls end at a limit, and what is left out is counted', () => {
  const client = createClientAddresses();
  let [given, left] = [0, 0];
  for (let file = 0; file < 200; file += 1) {
    const bases = named(8, (at) => `/api${file}-${at}`);
    const asked = named(500, (at) => `/call${file}-${at}`);
    const read = client.read({ ...nothing, bases, asked }, page);
    given += read.addresses.length;
    left += read.left;
  }
  assert.is(given, 300);
  assert.ok(left > 199 * 500, `${left}`);
});

test.run();
