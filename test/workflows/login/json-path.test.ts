import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { atPath, findToken, withPath } from '../../../workflows/login/json-path.ts';
import { parseJson } from '../../../workflows/model/json.ts';

const json = suite('json of logins');

json('a dotted path leads through objects and lists', () => {
  const value = { data: [{ token: 't' }] };
  assert.is(atPath(value, 'data.0.token'), 't');
  assert.is(atPath(value, 'data.1.token'), undefined);
  assert.is(atPath({}, 'constructor.name'), undefined);
});

json('a dotted path makes the objects that it goes through, and keeps what is there', () => {
  assert.equal(withPath(withPath({}, 'user.email', 'a'), 'user.password', 'b'), {
    user: { email: 'a', password: 'b' },
  });
});

for (const [name, answer, path] of [
  ['its name', { user: 'dora', access_token: 'abcdefgh1', refresh_token: 'rrrrrrrrr' }, 'access_token'],
  ['its name, deep down', { data: { session: { accessToken: 'abcdefgh1' } } }, 'data.session.accessToken'],
  ['the name that rest frameworks give it', { key: 'abcdefgh1' }, 'key'],
  ['the least deep of two', { user: { token: 'zzzzzzzz1' }, token: 'abcdefgh1' }, 'token'],
  ['the mutation that gives nothing else', { data: { signIn: 'b7d1f0c2-9a' } }, 'data.signIn'],
  ['its shape', { value: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }, 'value'],
] as const)
  json(`a token is found by ${name}`, () => assert.is(findToken(answer)?.path, path));

for (const [name, answer] of [
  ['a refresh token', { refreshToken: 'abcdefgh1' }],
  ['a token against forged requests', { csrf: { token: 'abcdefgh1' } }],
  ['a short word', { token: 'ok' }],
  ['what another mutation gives', { data: { addNote: 'b7d1f0c2-9a' } }],
  ['a sentence', { token: 'it was sent to you by mail' }],
  ['a list of nothing', []],
] as const)
  json(`${name} is no session`, () => assert.is(findToken(answer as never), undefined));

json('a text that is no JSON holds none', () => assert.is(findToken(parseJson('<p>token')), undefined));

json.run();
