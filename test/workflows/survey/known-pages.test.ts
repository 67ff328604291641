import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKnownPages } from '../../../workflows/survey/known-pages.ts';
import { parsePage } from '../../../workflows/survey/page.ts';
import { codeOfPage } from '../../../workflows/survey/page-code.ts';

const test = suite('pages whose script is used');

const frame = '<header><nav><ul><li><a href=/>x</a></li></ul></nav></header><aside><p><b>x</b><i>y</i></p></aside>';
const page = (body: string) => {
  const parsed = parsePage(
    `${frame}<main>${body}</main><footer><span>z</span></footer><script src=/site.js></script>`,
    'http://x.localhost/',
  );
  return { code: codeOfPage(parsed), shape: parsed.shape, hooks: parsed.hooks };
};

test('are used again where one file of script finds other things to work on', () => {
  const known = createKnownPages([]);
  assert.ok(known.take(page('<p>start</p>'), 'by-page'));
  assert.ok(known.take(page('<p id=quote>quote</p>'), 'by-page'));
  assert.ok(known.take(page('<p data-remote="/a">quote</p>'), 'by-page'));
});

test('are not where only text, numbers and headlines differ', () => {
  const known = createKnownPages([]);
  assert.ok(known.take(page('<h2 id=first>1</h2><p id=row_7>start</p>'), 'by-page'));
  assert.not(known.take(page('<h2 id=second>2</h2><p id=row_8>other</p>'), 'by-page'));
});

test('end where each page has names of its own', () => {
  const known = createKnownPages([]);
  const taken = Array.from(
    { length: 60 },
    (_, index) => `<p id=item-${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}>x</p>`,
  );
  assert.ok(taken.filter((body) => known.take(page(body), 'by-page')).length < 15);
});

test('are used where a page leads to them, though a guess was like them', () => {
  const known = createKnownPages([]);
  const one = { code: 'shell /stores/{id}' };
  assert.ok(known.take(one, 'by-guess'));
  assert.not(known.take(one, 'by-guess'));
  assert.ok(known.take(one, 'by-page'));
  assert.not(known.take(one, 'by-page'));
});

test.run();
