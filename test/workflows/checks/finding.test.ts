import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { locationOf } from '../../../workflows/checks/finding.ts';

const test = suite('the place of a finding');

test('is an address as long as core takes it, cut where it is longer', () => {
  const long = `https://shop.example/${'a'.repeat(20_000)}`;
  const { url, method } = locationOf({ location: { url: long }, route: '/' });
  assert.equal([url.length, url.endsWith('a…'), method], [8_192, true, 'GET']);
  const fitting = long.slice(0, 8_192);
  assert.is(locationOf({ location: { url: fitting }, route: '/' }).url, fitting);
});

test.run();
