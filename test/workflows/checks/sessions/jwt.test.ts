import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { elevations } from '../../../../workflows/checks/access/elevations.ts';
import { jwtsOf, keyThatSigned, parseJwt, signJwt } from '../../../../workflows/checks/sessions/jwt.ts';
import type { Identity } from '../../../../workflows/model/identity.ts';
import { createJar } from '../../../../workflows/probe/http/cookies.ts';

const test = suite('tokens of sessions');

const url = 'https://shop.example/';

function identity(headers: [string, string][], cookies: Record<string, string>): Identity {
  const jar = createJar();
  for (const [name, value] of Object.entries(cookies)) jar.set(url, name, value);
  return { name: 'A', role: 'user', jar, headers, checkUrl: url, marker: 'x' };
}

test('the example of RFC 7515 A.1 is verified with its key, which is written in base64url', () => {
  const token =
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const key = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow';
  const jwt = parseJwt(token);
  assert.ok(jwt && keyThatSigned(jwt, key));
  assert.is(jwt && keyThatSigned(jwt, `${key}x`), undefined);
});

for (const [algorithm, hash] of [
  ['HS256', 'sha256'],
  ['HS384', 'sha384'],
  ['HS512', 'sha512'],
] as const) {
  test(`a token of ${algorithm} is signed as node:crypto signs it`, () => {
    const token = signJwt({ alg: algorithm }, { sub: 1 }, Buffer.from('key'));
    const [head, body, signature] = token.split('.');
    assert.is(signature, createHmac(hash, 'key').update(`${head}.${body}`).digest('base64url'));
  });
}

test('tokens of other kinds and texts that are none are left alone', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = 'a'.repeat(43);
  for (const text of [
    '',
    'a.b.c',
    `${part({ alg: 'RS256' })}.${part({})}.${signature}`,
    `${part({ alg: 'none' })}.${part({})}.`,
    `${part([])}.${part({})}.${signature}`,
  ])
    assert.is(parseJwt(text), undefined);
});

test('another token takes the place of the one in a cookie, and the rest of the session stays', () => {
  const token = signJwt({ alg: 'HS256' }, {}, Buffer.from('k'));
  const [carried] = jwtsOf(identity([['X-Tenant', '7']], { token, theme: 'dark' }));
  assert.equal(carried?.headersWith(url, 'NEW'), [
    ['X-Tenant', '7'],
    ['Cookie', 'theme=dark; token=NEW'],
  ]);
});

test('another token takes the place of the one in a header, with its scheme', () => {
  const token = signJwt({ alg: 'HS256' }, {}, Buffer.from('k'));
  const [carried] = jwtsOf(identity([['Authorization', `Bearer ${token}`]], { csrf: 'c' }));
  assert.equal(carried?.headersWith(url, 'NEW'), [
    ['Cookie', 'csrf=c'],
    ['Authorization', 'Bearer NEW'],
  ]);
});

/** Claims, and what the first way to raise them changes. */
const raised: [Record<string, unknown>, Record<string, unknown>][] = [
  [{ sub: 'a', role: 'user' }, { role: 'admin' }],
  [{ role: 'Customer' }, { role: 'Admin' }],
  [{ roles: ['ROLE_USER'] }, { roles: ['ROLE_USER', 'ROLE_ADMIN'] }],
  [{ scope: 'read write' }, { scope: 'read write admin' }],
  [{ isAdmin: false, role: 'user' }, { isAdmin: true }],
  [{ is_staff: 0 }, { is_staff: 1 }],
  [{ access_level: 1 }, { access_level: 99 }],
  [{ 'https://shop.example/roles': ['user'] }, { 'https://shop.example/roles': ['user', 'admin'] }],
  [{ sub: 'a' }, { role: 'admin', roles: ['admin'], admin: true, isAdmin: true, is_admin: true, scope: 'admin' }],
];

for (const [claims, change] of raised) {
  test(`${JSON.stringify(claims)} is raised by ${JSON.stringify(change)}, and by nothing else`, () => {
    assert.equal(elevations(claims)[0]?.claims, { ...claims, ...change });
  });
}

test('who the user is never changes', () => {
  for (const { claims } of elevations({ sub: 'ann', user_id: 7, email: 'a@b.example', role: 'user', type: 1 }))
    assert.equal([claims.sub, claims.user_id, claims.email], ['ann', 7, 'a@b.example']);
});

test.run();
