import { parse, serialize } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageForms } from '../../../../workflows/login/page-forms.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import { parseHtml } from '../../../../workflows/probe/html/parse.ts';
import { visibleText } from '../../../../workflows/probe/html/text.ts';
import { nodesOf } from '../../../../workflows/probe/html/tree.ts';

const test = suite('bounded parse of HTML');

test('gives the tree that browsers make, whole', () => {
  const pages = [
    '',
    '<!doctype html><title>A &amp; B</title><p>one<p>two<b><i>x</b>y</i>',
    `<table><tr><td>1<br>x</table><template><p>t</template><svg><path/></svg>${'<p class="a">text '.repeat(5_000)}`,
    `<select><option>1<option>2</select><textarea>\n<b></textarea>${' x'.repeat(20_000)}<script>"</p>"</script>`,
  ];
  for (const page of pages) {
    const { document, complete } = parseHtml(page);
    assert.ok(complete);
    assert.is(serialize(document), serialize(parse(page)));
  }
});

test('a tree of 25 KB that would have millions of nodes ends where it has too many', () => {
  const names = Array.from({ length: 600 }, (_, index) => `<b id=${index}>`).join('');
  const before = process.memoryUsage().heapUsed;
  const { document, complete } = parseHtml(`<p>${names}</p>${'<p>x</p>'.repeat(2_000)}`);
  assert.not.ok(complete);
  assert.ok(serialize(document).length > 0);
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024);
});

test('elements in elements end at the depth that browsers keep', () => {
  assert.ok(parseHtml('<div>'.repeat(500)).complete);
  assert.not.ok(parseHtml('<div>'.repeat(600)).complete);
});

test('a tag with a flood of attributes is not read to its end', () => {
  const flood = Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ');
  assert.not.ok(parseHtml(`<p ${flood}>`).complete);
});

test('who looks at all nodes gets an error for a page that was not read whole, and never takes a part for all of it', () => {
  const page = `<input type=password>${'<div>'.repeat(600)}`;
  const isTooLarge = (error: unknown) => error instanceof ProbeError && error.code === 'too_large';
  assert.throws(() => [...nodesOf(page)], isTooLarge);
  assert.throws(() => pageForms(page, 'http://shop.example/'), isTooLarge);
  assert.is(visibleText(`wrong password${'<div>'.repeat(600)}`), 'wrong password');
});

test('blocks of a page are lines of its text, and words within a sentence are not', () => {
  const text = visibleText('<title>Pier</title><h1>Closed</h1><p>For <b>pilot</b>s only.</p><td>7</td>');
  assert.equal(text.split(/\n+/), ['Pier', 'Closed', 'For pilots only.', '7']);
});

test.run();
