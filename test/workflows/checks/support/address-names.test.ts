import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namesIn } from '../../../../workflows/checks/support/address-names.ts';

const test = suite('names of parameters');

for (const [script, names] of [
  ["new URLSearchParams(location.search).get('page')", ['page']],
  ['const q = getParameterByName("term", location.href)', ['term']],
  ['/[?&]ref=([^&]*)/.exec(location.search)', ['ref']],
  ["location.search.split('?tab=')[1]", ['tab']],
  ["const query = parse(location.search); out(query['msg'], query.lang)", ['lang', 'msg']],
  ["const { title, next = '/' } = Object.fromEntries(new URLSearchParams(location.search))", ['title', 'next']],
  ["document.querySelector('[name]').has('[selected]')", []],
] as const)
  test(`are found in ${script}`, () => {
    assert.equal(namesIn([script]), names);
  });

test('beside a use of the address go before those of a library in the same bundle', () => {
  const library = Array.from({ length: 100 }, (_, n) => `cache.get("entry${n}")`).join(';');
  const names = namesIn([`${library}${' '.repeat(500)}new URLSearchParams(location.search).get("wanted")`]);
  assert.equal([names[0], names.length], ['wanted', 30]);
});

test.run();
