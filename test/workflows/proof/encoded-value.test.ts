import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodedValue, inEncoding, mapTemplate } from '../../../workflows/proof/encoded-value.ts';
import { fill, newTrialValues } from '../../../workflows/proof/template.ts';

const test = suite('encoded values');

for (const [value, encoding, text] of [
  ['dGVybXMudHh0', 'base64', 'terms.txt'],
  ['MQ==', 'base64', '1'],
  ['eyJhIjoiw6kifQ==', 'base64', '{"a":"é"}'],
  ['cGxhbnMvYT9iPTE_', 'base64url', 'plans/a?b=1?'],
  ['706c616e2e747874', 'hex', 'plan.txt'],
] as const)
  test(`${value} is a text in ${encoding}`, () => {
    assert.equal(decodedValue(value), { encoding, text });
  });

for (const value of [
  'privacy',
  'products',
  'username',
  '20260101',
  'deadbeef',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  'a=b',
  '',
  'gASVDAAAAAAAAACMCHN0cmluZ3OULg==',
])
  test(`"${value}" is no other text`, () => {
    assert.is(decodedValue(value), undefined);
  });

test('references in the text are filled before it is encoded', () => {
  const values = newTrialValues(() => 'x1');
  const base64 = Buffer.from('a/x1?').toString('base64');
  assert.is(fill(inEncoding('base64', 'a/‹nonce›?', false), values), base64);
  assert.is(fill(inEncoding('base64', 'a/‹nonce›?', true), values), encodeURIComponent(base64));
  assert.is(fill(inEncoding('hex', '‹nonce›', true), values), '7831');
});

test('references in the text can be renamed', () => {
  const renamed = mapTemplate(`?a=${inEncoding('hex', 'to ‹callback›', true)}&b=‹callback›`, (text) =>
    text.replaceAll('‹callback›', '‹callback2›'),
  );
  assert.is(renamed, `?a=${inEncoding('hex', 'to ‹callback2›', true)}&b=‹callback2›`);
});

test.run();
