import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isChoice } from '../../../../workflows/probe/gate/choices.ts';

const test = suite('choices');

const base64Of = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

test('a word and settings that are serialized say what was chosen', () => {
  for (const value of [
    'english',
    base64Of('{"lang":"en","theme":"dark"}'),
    base64Of(
      '\x80\x04\x95\x23\0\0\0\0\0\0\0}\x94(\x8c\x06colour\x94\x8c\x04blue\x94\x8c\x04font\x94\x8c\x05serif\x94u.',
    ),
    base64Of('a:2:{s:4:"lang";s:2:"en";s:4:"rows";i:10;}'),
    '%7B%22theme%22%3A%22dark%22%7D',
    'theme=dark&size=large',
  ])
    assert.is(isChoice(value), true, value);
});

test('what is drawn or signed opens a session', () => {
  for (const value of ['k3j5h2g7d9', 'af5e6be9-54c7-4cae-9390-793e8cf06c0a', 'eyJ1c2VyIjoiYW5uYSJ9.Zx12aa.abcdEFghijk'])
    assert.is(isChoice(value), false, value);
  for (let index = 0; index < 3_000; index += 1) {
    const drawn = createHash('sha512')
      .update(`${index}`)
      .digest()
      .subarray(0, 20 + (index % 40));
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      assert.is(isChoice(drawn.toString(encoding)), false, drawn.toString(encoding));
  }
});

test.run();
