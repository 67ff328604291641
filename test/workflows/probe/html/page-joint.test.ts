import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jointOf } from '../../../../workflows/probe/html/page-joint.ts';

const test = suite('the joint of two pages');

test('is what one has instead, with what both have around it', () => {
  assert.is(
    jointOf('<h1>Stock</h1><p>in stock</p>', '<h1>Stock</h1><p>not in stock</p>'),
    '<h1>Stock</h1><p>in stock</p>',
  );
  const [head, foot] = ['a'.repeat(100), 'b'.repeat(100)];
  assert.is(jointOf(`${head}X${foot}`, `${head}${foot}`), `${'a'.repeat(30)}X${'b'.repeat(30)}`);
});

test('is where the other says more', () => {
  assert.is(jointOf('<p>top</p>\n<i></i><b>end</b>', '<p>top</p>\n<i>none</i><b>end</b>'), '<i></i><b>end</b>');
});

test('is none where nothing differs, where much differs, or where it would go over several lines', () => {
  assert.is(jointOf('same', 'same'), undefined);
  assert.is(jointOf(`a${'x'.repeat(200)}b`, 'ab'), undefined);
  assert.is(jointOf('a\nb\nc', 'a\nd\nc'), 'b');
  assert.is(jointOf('a b\nc d', 'a x\ny d'), undefined);
});

test('is none where the other has it as well', () => {
  assert.is(jointOf('ab', 'abab'), undefined);
});

test.run();
