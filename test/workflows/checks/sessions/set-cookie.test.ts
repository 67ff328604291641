import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isDeletion,
  isRefused,
  isRefusedWithoutSecure,
  parseSetCookie,
} from '../../../../workflows/checks/sessions/set-cookie.ts';

const test = suite('Set-Cookie lines');
const now = new Date('2026-06-15T12:00:00Z');
const parse = (line: string) => {
  const cookie = parseSetCookie(line);
  if (!cookie) throw new Error('ignored');
  return cookie;
};

test('name, value and attributes are taken apart as browsers do', () => {
  const cookie = parse(' sid = a=b ; PATH=/x; secure ;HttpOnly=; SameSite=Lax; samesite=Strict');
  assert.equal([cookie.name, cookie.value, cookie.secure, cookie.httpOnly], ['sid', 'a=b', true, true]);
  assert.equal([cookie.attributes.get('path'), cookie.attributes.get('samesite')], ['/x', 'Strict']);
});

test('"secure" in a value or a path is no attribute', () => {
  assert.is(parse('sid=secure; Path=/secure').secure, false);
});

test('a line without a name is ignored', () => {
  for (const line of ['', 'sid', '=x', '; Secure']) assert.is(parseSetCookie(line), undefined);
});

test('a deletion is recognised by its value, age or date', () => {
  const deletions = ['a=', 'a=""', 'a=x; Max-Age=0', 'a=x; max-age=-1', 'a=x; Expires=Thu, 01-Jan-70 00:00:01 GMT'];
  const settings = [
    'a=x',
    'a=x; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'a=x; Expires=Thu, 01 Jan 2099 00:00:00 GMT',
    'a=x; Expires=0',
    'a=x; Expires=-1',
    'a=x; Expires=Session',
  ];
  assert.equal(
    [...deletions, ...settings].map((line) => isDeletion(parse(line), now)),
    [...deletions.map(() => true), ...settings.map(() => false)],
  );
});

test('browsers keep nothing of a line for another domain, or that breaks the promise of its name', () => {
  const url = 'https://www.northwind.shop/';
  const kept = [
    'a=x',
    'a=x; Domain=.NORTHWIND.shop',
    'a=x; Domain=www.northwind.shop',
    'a=x; Domain=',
    '__Host-a=x; Secure; Path=/',
    'a=x; Secure; Partitioned',
  ];
  const refused = [
    'a=x; Domain=elsewhere.example',
    'a=x; Domain=api.northwind.shop',
    'a=x; Domain=wind.shop',
    '__Host-a=x; Path=/',
    '__Host-a=x; Secure',
    '__Host-a=x; Secure; Path=/; Domain=www.northwind.shop',
    'a=x; Partitioned',
  ];
  assert.equal(
    [...kept, ...refused].map((line) => isRefused(parse(line), url)),
    [...kept.map(() => false), ...refused.map(() => true)],
  );
});

test('browsers refuse prefixed and SameSite=None cookies without Secure', () => {
  const lines = ['__Host-a=x', '__secure-a=x', 'a=x; SameSite=None', 'a=x; SameSite=Lax', 'a=x'];
  assert.equal(
    lines.map((line) => isRefusedWithoutSecure(parse(line))),
    [true, true, true, false, false],
  );
});

test.run();
