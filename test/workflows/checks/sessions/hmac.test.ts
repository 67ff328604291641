import { createHmac, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hmac } from '../../../../workflows/checks/sessions/hmac.ts';

const test = suite('HMAC of a guess');

test('is what the library computes, for keys of every length and every hash', () => {
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const) {
    for (const length of [0, 1, 63, 64, 65, 127, 128, 129, 300]) {
      const key = randomBytes(length);
      const own = hmac(algorithm, key, `text ${length} ä`);
      assert.equal(
        own,
        createHmac(algorithm, key).update(`text ${length} ä`).digest(),
        `${algorithm}, ${length} bytes`,
      );
    }
  }
});

test('takes a text for its bytes in UTF-8', () => {
  assert.equal(hmac('sha256', 'schlüssel', 'x'), createHmac('sha256', 'schlüssel').update('x').digest());
});

test.run();
