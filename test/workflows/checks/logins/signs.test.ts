import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { opensSession } from '../../../../workflows/checks/logins/session-answer.ts';
import { deniesIn, grantsIn, tokensIn } from '../../../../workflows/checks/logins/signs.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';

const test = suite('tokens in answers to a login');

const answer = (body: unknown): Exchange => ({ status: 200, text: JSON.stringify(body) }) as Exchange;
const jwt = [{ alg: 'HS256' }, { id: 7 }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));

test('they are known by their names, and JSON Web Tokens by their form', () => {
  assert.equal(tokensIn(answer({ data: { session_token: 'a4f09b7716e2c55d' } })), ['/data/session_token']);
  assert.equal(tokensIn(answer({ access: `${jwt.join('.')}.c2lnbmVk`, id: 7 })), ['/access']);
  assert.equal(tokensIn(answer({ access: 'eyJ-is-no-token-of-that-form', message: 'Welcome' })), []);
});

test('a vague name takes what is random, and an answer that says no gives none', () => {
  const random = '5b1f0c9e77a24d3c';
  assert.equal(tokensIn(answer({ key: random, ticket: random })), ['/key', '/ticket']);
  assert.equal(tokensIn(answer({ key: 'login.failed.password' })), []);
  for (const refused of [{ accepted: false }, { error: 'no text' }, { errors: ['password'] }])
    assert.equal(tokensIn(answer({ ticket: random, csrf_token: random, ...refused })), [], JSON.stringify(refused));
  assert.equal(tokensIn(answer({ error: null, ticket: random })), ['/ticket']);
});

test('a mutation of GraphQL that logs in may give its token as its one value', () => {
  const token = '9f2d1c7e-41b0-4a8e-9c55-0d3fd1e2ab90';
  assert.equal(tokensIn(answer({ data: { signIn: token } })), ['/data/signIn']);
  for (const body of [
    { data: { signIn: null }, errors: [{ message: 'Wrong' }] },
    { data: { login: 'Welcome back, 42' } },
  ])
    assert.equal(tokensIn(answer(body)), []);
  assert.equal(tokensIn(answer({ data: { motto: token } })), []);
});

test('an interface that refuses by its JSON opens a session by a cookie', () => {
  const refused = { ...answer({ errors: [{ message: 'Wrong' }], data: { enter: null } }), headerValues: () => [] };
  const entered = (cookie: string[]) => ({ ...answer({ data: { enter: { id: 7 } } }), headerValues: () => cookie });
  const set = ['s=9f2d1c7e41b04a8e; HttpOnly'];
  assert.ok(opensSession(entered(set) as Exchange, refused as Exchange));
  assert.not(opensSession(entered([]) as Exchange, refused as Exchange));
  assert.not(opensSession(entered(set) as Exchange, entered([]) as Exchange));
  assert.not(opensSession({ ...refused, headerValues: () => set } as Exchange, refused as Exchange));
});

test('a mutation of GraphQL that logs in may say yes or no as its one value', () => {
  const of = (signIn: unknown) => answer({ data: { signIn } });
  assert.equal(grantsIn(of(true)), ['/data/signIn']);
  assert.equal(
    [true, false, null].map((value) => deniesIn(of(value))),
    [false, true, true],
  );
  assert.equal(grantsIn(answer({ data: { motto: true } })), []);
  assert.not(deniesIn(answer({ data: { motto: null } })));
});

test('an answer denies by a member at its top', () => {
  const denied = [{ ok: false }, { error: 'no text' }, { ok: true }, { error: '' }, ['ok']];
  assert.equal(
    denied.map((body) => deniesIn(answer(body))),
    [true, true, false, false, false],
  );
});

test.run();
