import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parameterNames, placeOfName } from '../../../workflows/probe/parameter-names.ts';

const test = suite('names of parameters');

test('a name that is made anew with each load and has no value is data', () => {
  const made = ['1795443262', '1795443262123', '0.7319004412', '3f2ab9c0d1e2', '6f1c2f0e-9d3b-4a51-8a53-3a1f0e7b9c11'];
  for (const name of made) assert.is(placeOfName(name, ''), '{id}', name);
});

test('all other names stay', () => {
  for (const name of ['17', 'deadbeef', 'edit', 'utf8', 'accept', '2026']) assert.is(placeOfName(name, ''), name);
  assert.is(placeOfName('1795443262', 'on'), '1795443262');
});

test('names are given once each, in order', () => {
  const { searchParams } = new URL('https://shop.example/?b=1&a=2&b=3&1795443262&1795443263');
  assert.equal(parameterNames(searchParams), ['a', 'b', '{id}']);
});

test.run();
