import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keptOf, sessionOf } from '../../../workflows/login/kept-session.ts';
import { createJar } from '../../../workflows/probe/http/cookies.ts';

const test = suite('kept sessions');

test('a session comes back with the rules of its cookies, its headers and its storage', () => {
  const jar = createJar();
  jar.store('https://shop.example/account/login', [
    '__Host-sid=one; Path=/; Secure; HttpOnly; SameSite=Strict',
    'wide=two; Domain=shop.example; Path=/account',
    'odd="a=b; Path=/',
  ]);
  const storage = { 'https://shop.example': { local: { jwt: 'x' }, session: {} } };
  const back = sessionOf(keptOf({ jar, headers: [['X-Auth', 'Token t']], storage }), createJar());
  assert.equal(back.jar.all(), jar.all());
  assert.equal([back.headers, back.storage], [[['X-Auth', 'Token t']], storage]);
  for (const url of [
    'https://shop.example/account',
    'https://shop.example/',
    'http://shop.example/account/x',
    'https://a.shop.example/account',
  ])
    assert.is(back.jar.header(url), jar.header(url), url);
});

test('a cookie that the site has deleted does not come back to life', () => {
  const jar = createJar();
  jar.store('https://shop.example/', ['sid=one', 'basket=2', 'note=3; Max-Age=3600']);
  jar.store('https://shop.example/', ['sid=deleted; Max-Age=0', 'basket=; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
  assert.equal(
    jar.all().map(({ name }) => name),
    ['note'],
  );
  const back = sessionOf(keptOf({ jar, headers: [] }), createJar());
  assert.is(back.jar.header('https://shop.example/'), 'note=3');
});

test('a session with a host that is an IPv6 address comes back', () => {
  const jar = createJar();
  jar.store('https://[2001:db8::1]:8443/', ['sid=one; Secure']);
  const back = sessionOf(keptOf({ jar, headers: [] }), createJar());
  assert.is(back.jar.header('https://[2001:db8::1]:8443/account'), 'sid=one');
});

test.run();
