import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { element, textNode } from '../../../cli/output/xml.ts';

const test = suite('XML');

test('an element has its attributes and its content', () => {
  assert.is(element('a', { b: 'c', d: 1, e: undefined }, element('f', {}), textNode('g')), '<a b="c" d="1"><f/>g</a>');
  assert.is(element('a', {}), '<a/>');
});

test('markup and line ends in values are references, so that a reader gets them back', () => {
  assert.is(element('a', { b: `<"&'>\n\t\r` }), `<a b="&lt;&quot;&amp;'&gt;&#10;&#9;&#13;"/>`);
  assert.is(textNode('a ]]> <b> &amp;\n\r'), 'a ]]&gt; &lt;b&gt; &amp;amp;\n&#13;');
});

test('what no XML may hold becomes U+FFFD, and all else stays', () => {
  assert.is(textNode('\u0000\u0008\u001b\ufffe\uffff\ud800'), '\ufffd'.repeat(6));
  assert.is(textNode('\t\u0085ü\u{1f600}\ufffd'), '\t\u0085ü\u{1f600}\ufffd');
});

test.run();
