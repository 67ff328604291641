import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clearest, piecesOf } from '../../../../workflows/probe/html/page-pieces.ts';

const test = suite('pieces of a page');

test('texts and tags of HTML, members of JSON and lines are pieces, as they stand there', () => {
  assert.equal(piecesOf('<p class=a> Oak &amp; ash </p>\n<b>ok</b>'), ['p class=a', 'Oak &amp; ash']);
  assert.equal(piecesOf('{"total":3,"rows":[{"name":"Lamp"}]}'), ['"total":3', '"rows":', '"name":"Lamp"']);
  assert.equal(piecesOf('first line\r\nsecond'), ['first line', 'second']);
});

test('what is too long to be found again, or holds a mark of templates, is none', () => {
  assert.equal(piecesOf(`<p>${'x'.repeat(121)}</p><b>‹nonce›</b>`), []);
});

test('a page without end gives no pieces without end', () => {
  assert.is(piecesOf(Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join('\n')).length, 3_000);
});

test('names come before numbers, and those before markup', () => {
  assert.equal(clearest(['a href="/x"', '240 €', 'Oak table'], 2), ['Oak table', '240 €']);
});

test.run();
