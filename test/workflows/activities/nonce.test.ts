import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { actingInName } from '../../../workflows/probe/gate/words.ts';

const test = suite('nonces');

test('no nonce has a word between its digits for which the write gate refuses a request', () => {
  const nonces = Array.from({ length: 20_000 }, () => makeNonce());
  assert.equal(
    nonces.filter((nonce) => actingInName(nonce) !== undefined),
    [],
  );
});

test('a nonce begins with a letter and has the length that is asked for', () => {
  for (const length of [1, 10, 24]) assert.match(makeNonce(length), new RegExp(`^[a-z][a-z0-9]{${length - 1}}$`));
});

test.run();
