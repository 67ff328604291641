import { createHash, randomInt } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeableSession } from '../../../../workflows/checks/auth/forgeable-session.check.ts';
import { predictableSession } from '../../../../workflows/checks/auth/predictable-session.check.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { html, redirect, startSite } from '../../../fixtures/site.ts';
import { firstOfKinds, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('values of session cookies');

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function found(identifierOf: MembersDesign['identifierOf'] & {}): Promise<string[]> {
  const design: MembersDesign = { ...sound, beforeLogin: 'none', identifierOf };
  const site = await startSite(membersSite(design));
  const audit = await openAudit(site.url, { depth: 'deep', identities: [memberOf(design)] });
  try {
    const ids = [];
    for (const each of [forgeableSession, predictableSession])
      ids.push(...(await check(audit, each as typeof forgeableSession)).findings.map(({ checkId }) => checkId));
    return ids.map(String);
  } finally {
    await audit.close();
    await site.close();
  }
}

const cases: [what: string, identifierOf: (count: number, name: string) => string, expected: string[]][] = [
  ['a counter', (count) => String(1000 + count), ['auth.predictable-session']],
  ['a digest of a counter', (count) => hex('md5', String(count)), ['auth.predictable-session']],
  ['the time in milliseconds', (count) => `s-${Date.now() + count}`, ['auth.predictable-session']],
  ['a counter in base64', (count) => base64(String(7000 + count)).replace(/=+$/, ''), ['auth.predictable-session']],
  [
    'a counter behind a word in base64',
    (count) => base64(`sess-${7000 + count}`).replace(/=+$/, ''),
    ['auth.predictable-session'],
  ],
  ['the user name', (_count, name) => name, ['auth.forgeable-session']],
  ['a digest of the user name', (_count, name) => hex('sha1', name), ['auth.forgeable-session']],
  [
    'the user name in JSON in base64',
    (_count, name) => base64(JSON.stringify({ user: name, admin: false })).replace(/=+$/, ''),
    ['auth.forgeable-session'],
  ],
  [
    'the name and its digest',
    (_count, name) => base64(`${name}:${hex('md5', name)}`).replace(/=+$/, ''),
    ['auth.forgeable-session'],
  ],
  [
    'the user name in base64 in reversed order',
    (_count, name) => [...base64(`user:${name}`)].reverse().join(''),
    ['auth.forgeable-session'],
  ],
  ['the number of the account', () => 'user_id:41', ['auth.forgeable-session']],
  ['a digest of the number of the account', () => hex('md5', '41'), ['auth.forgeable-session']],
  ['a random number of six digits', () => `s_${randomInt(100_000, 1_000_000)}`, []],
  ['the name and a number that is too long to be counted', (_count, name) => `${name}:71539244`, []],
  ['a random text', (count) => hex('sha256', `${Math.random()}${count}`), []],
  ['a random number', () => String(randomInt(2 ** 47)), []],
  ['a digest with a key', (count, name) => hex('sha256', `k7Werft${name}${count}`), []],
  ['the user name with a short code', (_count, name) => `${name}|7f3a9c`, []],
  ['the user name with a signature', (_count, name) => `${name}.${hex('sha1', `k7Werft${name}`)}`, []],
];

for (const [what, identifierOf, expected] of firstOfKinds(cases, ([, , expected]) => expected.join(), 1))
  test(`${what}: ${expected.length === 0 ? 'nothing is found' : expected.join(' ')}`, async () => {
    assert.equal(await found(identifierOf), expected);
  });

/** Keeps who is logged in in the cookie, with a signature behind it. */
async function foundWithSignature(mayLack: boolean): Promise<number> {
  const sign = (text: string) => hex('sha256', `k7Werft${text}`);
  const site = await startSite(({ method, path, body, cookies }) => {
    const fields = new URLSearchParams(body);
    const content = base64(JSON.stringify({ user: fields.get('username') })).replace(/=+$/, '');
    if (method === 'POST' && path === '/login' && fields.get('password') === 'correct-horse-5')
      return { status: 302, headers: { location: '/home', 'set-cookie': `who=${content}--${sign(content)}; Path=/` } };
    const [given = '', signature] = (cookies.who ?? '').split('--');
    const isRight = signature === sign(given) || (mayLack && signature === undefined);
    if (path === '/home')
      return isRight ? html(`Signed in: ${Buffer.from(given, 'base64').toString()}`) : redirect('/login');
    if (path !== '/' && path !== '/login') return undefined;
    return html('<form method=post action=/login><input name=username><input type=password name=password></form>');
  });
  const login = { path: '/login', username: 'dora', password: 'correct-horse-5' };
  const audit = await openAudit(site.url, {
    depth: 'deep',
    identities: [{ name: 'A', checkPath: '/home', marker: 'dora', login }],
  });
  try {
    return (await check(audit, forgeableSession as Parameters<typeof check>[1])).findings.length;
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)('a signature that may be left out is none, and one that is demanded is', async () => {
  assert.is(await foundWithSignature(true), 1);
  assert.is(await foundWithSignature(false), 0);
});

test.run();
