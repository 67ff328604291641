import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCipher } from '../../core/crypto.ts';

const test = suite('encryption');

const [old, current] = [
  { id: '2025', key: randomBytes(32) },
  { id: '2026', key: randomBytes(32) },
];

test('what was encrypted reads back in its context', () => {
  const cipher = createCipher([current]);
  for (const text of ['', 'hunter2', 'pässwörd 🔑', 'x'.repeat(100_000)])
    assert.is(cipher.decrypt(cipher.encrypt(text, 'login/a'), 'login/a'), text);
});

test('the same secret never looks the same, and never like itself', () => {
  const cipher = createCipher([current]);
  const [a, b] = [cipher.encrypt('hunter2', 'x'), cipher.encrypt('hunter2', 'x')];
  assert.is.not(a, b);
  assert.not.match(Buffer.from(a.slice(a.indexOf('.') + 1), 'base64url').toString('latin1'), 'hunter2');
});

test('a secret cannot be moved to another place', () => {
  const cipher = createCipher([current]);
  assert.throws(() => cipher.decrypt(cipher.encrypt('hunter2', 'login/a'), 'login/b'));
});

test('a changed secret is refused', () => {
  const cipher = createCipher([current]);
  const sealed = cipher.encrypt('hunter2', 'x');
  const at = sealed.length - 10;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  assert.throws(() => cipher.decrypt(changed, 'x'));
  assert.throws(() => cipher.decrypt(sealed.slice(0, 20), 'x'));
  assert.throws(() => cipher.decrypt('', 'x'));
});

test('a new key in front encrypts, the old one still reads until it is taken away', () => {
  const before = createCipher([old]).encrypt('hunter2', 'x');
  const rotated = createCipher([current, old]);
  assert.is(rotated.decrypt(before, 'x'), 'hunter2');
  assert.match(rotated.encrypt('hunter2', 'x'), /^2026\./);
  assert.throws(() => createCipher([current]).decrypt(before, 'x'), /there is no encryption key "2025"/);
});

test('a key under the name of another reads nothing', () => {
  const sealed = createCipher([current]).encrypt('hunter2', 'x');
  assert.throws(() => createCipher([{ id: current.id, key: old.key }]).decrypt(sealed, 'x'));
});

test('no key at all is an error at once', () => {
  assert.throws(() => createCipher([]), /there is no encryption key/);
});

test.run();
