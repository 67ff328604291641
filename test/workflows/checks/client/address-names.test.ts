import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { importNamesIn, membersIn, namesIn } from '../../../../workflows/checks/client/address-names.ts';

const quiet = { leave: () => {} };
const test = suite('names of parameters');

for (const [script, names] of [
  ["new URLSearchParams(location.search).get('page')", ['page']],
  ['const q = getParameterByName("term", location.href)', ['term']],
  ['/[?&]ref=([^&]*)/.exec(location.search)', ['ref']],
  ['/^#?panel=([^&]*)/.exec(location.hash)', ['panel']],
  ["location.search.split('?tab=')[1]", ['tab']],
  ["location.href.substring(location.href.indexOf('lang=') + 5)", ['lang']],
  ["const query = parse(location.search); out(query['msg'], query.lang)", ['lang', 'msg']],
  ["const { title, next = '/' } = Object.fromEntries(new URLSearchParams(location.search))", ['title', 'next']],
  [
    "function parts() { const all = {}; for (const pair of location.hash.slice(1).split('&')) { const at = pair.indexOf('='); all[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1)); } return all; } const given = parts(); show(given.guest)",
    ['guest'],
  ],
  [
    "const parts = () => { const all = {}; location.search.slice(1).split('&').forEach((pair) => { all[pair[0]] = decodeURIComponent(pair[1]) }); return all }; let given = parts(); show(given.seat)",
    ['seat'],
  ],
  ["document.querySelector('[name]').has('[selected]')", []],
] as const)
  test(`are found in ${script}`, () => {
    assert.equal(namesIn(quiet, [script]), names);
  });

test('beside a use of the address go before those of a library in the same bundle', () => {
  const library = Array.from({ length: 100 }, (_, n) => `cache.get("entry${n}")`).join(';');
  const names = namesIn(quiet, [`${library}${' '.repeat(500)}new URLSearchParams(location.search).get("wanted")`]);
  assert.equal([names[0], names.length], ['wanted', 30]);
});

test('members of JSON are known by what reads them', () => {
  const kept = 'const s = JSON.parse(decodeURIComponent(location.hash.slice(1))); show(s.title, s?.step); other.name';
  assert.equal(membersIn(quiet, [kept]), ['title', 'step']);
  assert.equal(membersIn(quiet, ['const { tab, open = 1 } = JSON.parse(location.hash)']), ['tab', 'open']);
  assert.equal(membersIn(quiet, ['show(JSON.parse(atob(location.hash.slice(1))).title)']), ['title']);
  assert.equal(membersIn(quiet, ['const s = JSON.parse(text); s.title']), []);
});

test('a module is looked up by a name near to its import, unless its address is a text', () => {
  assert.equal(importNamesIn(quiet, ["import(new URLSearchParams(location.search).get('part'))"]), ['part']);
  assert.equal(importNamesIn(quiet, ['import(location.hash.slice(1))']), ['hash']);
  assert.equal(importNamesIn(quiet, ["import('./a.js'); location.hash", 'import(name)']), []);
});

test.run();
