import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountOf, isSameAccount } from '../../../workflows/login/account.ts';
import type { Account } from '../../../workflows/model/proven-login.ts';
import { createJar } from '../../../workflows/probe/http/cookies.ts';
import { type Kind, loginOf } from './stage.ts';

const test = suite('accounts');

const url = 'https://a.example/account';
const form = (username: string): Kind => ({ case: 'form', value: { url, username, password: 'x' } });
const bearer = (value: string): Kind => ({ case: 'bearer', value });
const jwt = (claims: object) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

/** @param pages what the check page shows in each of two sessions */
function account(kind: Kind, pages: [string, string], token?: string) {
  const anonymous = [{ status: 200, text: '<h1>Shop</h1> write to help@a.example' }];
  const mine = pages.map((text) => ({ status: 200, text: `<h1>Shop</h1> write to help@a.example ${text}` }));
  const headers: [string, string][] = token === undefined ? [] : [['Authorization', `Bearer ${token}`]];
  return accountOf(loginOf(kind), { jar: createJar(), headers }, [{ url, mine, anonymous }]);
}
const both = (text: string): [string, string] => [text, text];

test('one user name is one account, in whatever case', () => {
  assert.is(isSameAccount(account(form('Dora'), both('Hi')), account(form('dora '), both('Ho'))), true);
});

test('two user names that the page greets alike are one account', () => {
  const page = both('<p>Hello dora</p><a href="/logout">Log out</a>');
  assert.is(isSameAccount(account(form('dora'), page), account(form('dora@a.example'), page)), true);
});

test('two user names that are greeted by their own are two', () => {
  const page = (name: string) => both(`<p>Hello ${name}</p><a href="/logout">Log out</a>`);
  assert.is(isSameAccount(account(form('dora'), page('dora')), account(form('emil'), page('emil'))), false);
});

test('a page that shows no names, or a list with both, does not make two accounts one', () => {
  for (const text of ['<a href="/logout">Log out</a>', '<li>dora<li>emil', '<p>Your manager: boss@a.example'])
    assert.is(isSameAccount(account(form('dora'), both(text)), account(form('emil'), both(text))), false, text);
});

test('an administrator whose page names the user is another account', () => {
  const admin = account(
    form('root'),
    both('<h2>Users</h2><li>dora</li><li>orders: 17</li><a href="/logout">Log out</a>'),
  );
  assert.is(isSameAccount(account(form('dora'), both('<p>Hello dora</p><a href="/logout">Log out</a>')), admin), false);
});

test('two tokens are recognised by their subject', () => {
  const of = (sub: unknown, iat: number) =>
    account(bearer(`t${iat}`), both('<p>welcome</p>'), jwt({ iss: 'i', sub, iat }));
  assert.is(isSameAccount(of('7', 1), of('7', 2)), true);
  assert.is(isSameAccount(of('7', 1), of('8', 2)), false);
});

test('a token without a subject is recognised by what names somebody in it', () => {
  const of = (email: string, iat: number) =>
    account(form(`u${iat}`), both('<p>welcome</p>'), jwt({ data: { id: 2, email }, iat }));
  assert.is(isSameAccount(of('dora@a.example', 1), of('dora@a.example', 2)), true);
  assert.is(isSameAccount(of('dora@a.example', 1), of('emil@a.example', 2)), false);
});

test('a list of several accounts does not make two of them one', () => {
  const list = both(JSON.stringify(['root', 'dora', 'emil'].map((name) => ({ name, email: `${name}@a.example` }))));
  const other = account(form("' or 1=1-- "), list);
  assert.is(isSameAccount(account(form('dora@a.example'), list), other), false);
});

/** A page of many words, of which a name is the only one that differs. */
const nearlyEqual = (name: string) =>
  both(
    `<p>Hello ${name}</p>${Array.from({ length: 60 }, (_, index) => `<li>article${'abcdefgh'[index % 8]}x${index}</li>`).join('')}`,
  );

test('two user names whose pages differ in the name only are two accounts', () => {
  for (const [one, other] of [
    ['dora', 'emil'],
    ['user1', 'user2'],
  ] as const)
    assert.is(
      isSameAccount(account(form(one), nearlyEqual(one)), account(form(other), nearlyEqual(other))),
      false,
      one,
    );
  const shown = ['Dora Weber', 'Emil Weber'].map((name, index) => account(form(`u${index}`), nearlyEqual(name)));
  assert.is(isSameAccount(shown[0] as Account, shown[1] as Account), false);
});

test('two tokens whose pages differ in the name only are two, also when something is the same for all', () => {
  const of = (name: string) =>
    account(bearer(name), nearlyEqual(`${name}, your clerk is clerk@a.example`), jwt({ sub: 'session' }));
  assert.is(isSameAccount(of('dora'), of('emil')), false);
  const opaque = (id: number) => account(bearer(`t${id}`), both(`{"id":${id},"clerk":{"email":"clerk@a.example"}}`));
  assert.is(isSameAccount(opaque(4711), opaque(4712)), false);
});

test('a second page that distinguishes two accounts goes before a first one that does not', () => {
  const session = { jar: createJar(), headers: [] };
  const seen = (at: string, text: string) => ({
    url: at,
    mine: [text, text].map((each) => ({ status: 200, text: each })),
    anonymous: [{ status: 200, text: '' }],
  });
  const of = (username: string, profile: string) =>
    accountOf(loginOf(form(username)), session, [seen(url, 'Hello dora, log out'), seen(`${url}/profile`, profile)]);
  assert.is(isSameAccount(of('dora', 'Ms Weber'), of('emil', 'Ms Weber')), true);
  assert.is(isSameAccount(of('dora', 'Ms Weber'), of('emil', 'Mr Kern')), false);
});

test('what the pages show goes before a subject that all tokens share', () => {
  const of = (mail: string) => account(bearer(mail), both(`{"email":"${mail}"}`), jwt({ sub: 'session' }));
  assert.is(isSameAccount(of('dora@a.example'), of('emil@a.example')), false);
});

test('two opaque tokens that show one address on one page are one account', () => {
  const of = (token: string, mail: string) =>
    account(bearer(token), both(`{"id":4711,"email":"${mail}","credit":5}`), token);
  assert.is(isSameAccount(of('t1', 'dora@a.example'), of('t2', 'dora@a.example')), true);
  assert.is(isSameAccount(of('t1', 'dora@a.example'), of('t2', 'emil@a.example')), false);
});

test('what changes with each load does not make one account two', () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
  const first = account(form('dora'), [`dora ${words} at 12.01`, `dora ${words} at 12.01`]);
  const second = account(form('dora@x.example'), [`dora ${words} at 12.02`, `dora ${words} at 12.02`]);
  assert.is(isSameAccount(first, second), true);
});

test('nothing of it can be read', () => {
  const known = account(form('dora'), both('<p>dora@a.example</p>'), jwt({ sub: 'dora' }));
  assert.is(known.pages[0]?.url, url);
  assert.not.match(JSON.stringify(known), 'dora');
});

test.run();
