import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checksum, hashKey, isSameHash, newKey, parseKey } from '../../../core/keys/format.ts';

const test = suite('key format');

test('a new key has the documented shape and reads back', () => {
  const { keyId, text } = newKey();
  assert.match(text, /^sa_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  assert.equal(parseKey(text), { keyId, text });
  assert.is(text.slice(3, 11), keyId);
});

test('keys do not repeat', () => {
  assert.is(new Set(Array.from({ length: 1_000 }, () => newKey().text)).size, 1_000);
});

test('the checksum is CRC-32 in six digits of base62', () => {
  // The check value of CRC-32 (ISO 3309) for "123456789" is 0xCBF43926 = 3421780262.
  assert.is(checksum('123456789'), '3jZRME');
  assert.is(checksum(''), '000000');
});

test('one changed character is noticed without a look-up', () => {
  const { text } = newKey();
  const anyChange = fc.record({ at: fc.nat(text.length - 1), to: fc.constantFrom(...'0123456789ABCXYZabcxyz_-. ') });
  fc.assert(
    fc.property(anyChange, ({ at, to }) => {
      const changed = text.slice(0, at) + to + text.slice(at + 1);
      assert.is(parseKey(changed) !== undefined, changed === text);
    }),
  );
});

test('what is no key is not read as one', () => {
  const { text } = newKey();
  for (const bad of ['', 'sa_', text.slice(1), text.slice(0, -1), `${text}0`, `${text}\n`, text.toLowerCase()])
    assert.is(parseKey(bad), undefined, bad);
});

test('SHA-256 of the whole text is what is stored', () => {
  const { text } = newKey();
  assert.ok(isSameHash(hashKey(text), createHash('sha256').update(text).digest()));
  assert.not.ok(isSameHash(hashKey(text), hashKey(newKey().text)));
  assert.not.ok(isSameHash(hashKey(text), Buffer.alloc(8)));
});

test.run();
