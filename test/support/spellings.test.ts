import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spellingsOf } from './spellings.ts';

const test = suite('spellings of a secret');
const secret = 'a "quoted" & <very> secret +4711é';
const found = (text: string) => spellingsOf(secret).some((spelling) => text.includes(spelling));

for (const [form, text] of [
  ['plain', `x ${secret} y`],
  ['in JSON', JSON.stringify({ x: secret })],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ x: secret }))],
  ['in a URL', `https://example.com/?x=${encodeURIComponent(secret)}&y`],
  ['in a form', new URLSearchParams({ x: secret }).toString()],
  ['in hexadecimal', Buffer.from(`xx${secret}y`).toString('hex')],
  ...[0, 1, 2].flatMap((offset) =>
    ['', '!', '!!'].map((end) => {
      const text = Buffer.from(`${'x'.repeat(offset)}${secret}${end}`).toString('base64');
      return [`in base64 with ${offset} before and ${end.length} behind`, text];
    }),
  ),
] as [string, string][])
  test(`${form} it is found`, () => assert.ok(found(text), text));

test('in other texts it is not', () => {
  const text = 'a quoted and very secret 4711';
  assert.not.ok(found(text) || found(Buffer.from(text).toString('base64')) || found(JSON.stringify(text)));
});

test.run();
