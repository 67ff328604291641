import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokensIn } from '../../../../workflows/checks/logins/signs.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';

const test = suite('tokens in answers to a login');

const answer = (body: unknown): Exchange => ({ status: 200, text: JSON.stringify(body) }) as Exchange;
const jwt = [{ alg: 'HS256' }, { id: 7 }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));

test('they are known by their names, and JSON Web Tokens by their form', () => {
  assert.equal(tokensIn(answer({ data: { session_token: 'a4f09b7716e2c55d' } })), ['/data/session_token']);
  assert.equal(tokensIn(answer({ access: `${jwt.join('.')}.c2lnbmVk`, id: 7 })), ['/access']);
  assert.equal(tokensIn(answer({ access: 'eyJ-is-no-token-of-that-form', message: 'Welcome' })), []);
});

test.run();
