import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GatewayRefusal } from '../../gateway/errors.ts';
import { parseJson } from '../../gateway/json-text.ts';

const test = suite('parseJson');
const bytes = (text: string) => new TextEncoder().encode(text);

function refusalOf(body: Uint8Array): GatewayRefusal {
  try {
    parseJson(body);
  } catch (error) {
    if (error instanceof GatewayRefusal) return error;
    throw error;
  }
  throw new Error('the body was taken');
}

test('reads JSON in UTF-8, with or without a byte order mark', () => {
  assert.equal(parseJson(bytes('{"a":[1,"ü",null,true]}')), { a: [1, 'ü', null, true] });
  assert.equal(parseJson(bytes('\ufeff{"a":1}')), { a: 1 });
});

for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '{"a":1}{"b":2}', '// x\n{}']) {
  test(`refuses ${JSON.stringify(text)}`, () => {
    assert.is(refusalOf(bytes(text)).reason, 'INVALID_BODY');
  });
}

test('refuses bytes that are not UTF-8', () => {
  const refusal = refusalOf(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  assert.is(refusal.reason, 'INVALID_BODY');
  assert.match(refusal.message, 'UTF-8');
});

test('refuses a name that is given twice in one object, also when it is spelled differently', () => {
  assert.equal(refusalOf(bytes('{"url":"a","depth":"deep","url":"b"}')).errors[0]?.field, 'url');
  assert.equal(refusalOf(bytes('{"a":{"b":1,"b":2}}')).errors[0]?.field, 'b');
  assert.equal(refusalOf(bytes('[{"a":1},{"a":1,"\\u0061":2}]')).errors[0]?.field, 'a');
});

test('takes equal names in different objects, and text that looks like a name', () => {
  assert.equal(parseJson(bytes('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')), { a: { a: 1 }, b: [{ a: 1 }, { a: 1 }] });
  assert.equal(parseJson(bytes('{"a":"x,\\"a\\":","b":["a","a"]}')), { a: 'x,"a":', b: ['a', 'a'] });
});

test('refuses what is nested deeply, or has very many values, before it is parsed', () => {
  assert.ok(Array.isArray(parseJson(bytes('['.repeat(64) + ']'.repeat(64)))));
  for (const text of ['['.repeat(65), '['.repeat(65) + ']'.repeat(65), `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`])
    assert.match(refusalOf(bytes(text)).message, 'nested more than 64 levels deep');
  assert.is((parseJson(bytes(`[${'1,'.repeat(40_000)}1]`)) as unknown[]).length, 40_001);
  assert.match(refusalOf(bytes(`[${'1,'.repeat(50_000)}1]`)).message, 'more than 50000 values');
});

test('takes brackets and commas inside of strings for text', () => {
  for (const content of ['['.repeat(1_000), ','.repeat(100_000), '\\', '"', '\\"[', '[{\\\\"'])
    assert.equal(parseJson(bytes(JSON.stringify([content]))), [content]);
});

test('says a repeated name that is very long by its beginning', () => {
  const name = 'n'.repeat(100_000);
  const refusal = refusalOf(bytes(`{"${name}":1,"${name}":2}`));
  assert.ok(refusal.message.length < 500);
});

test.run();
