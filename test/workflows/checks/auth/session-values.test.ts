import { createHash, randomInt } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeableSession } from '../../../../workflows/checks/auth/forgeable-session.check.ts';
import { predictableSession } from '../../../../workflows/checks/auth/predictable-session.check.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { startSite } from '../../../fixtures/site.ts';
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
  ['the user name', (_count, name) => name, ['auth.forgeable-session']],
  ['a digest of the user name', (_count, name) => hex('sha1', name), ['auth.forgeable-session']],
  [
    'the user name in JSON in base64',
    (_count, name) => base64(JSON.stringify({ user: name, admin: false })).replace(/=+$/, ''),
    ['auth.forgeable-session'],
  ],
  ['a random text', (count) => hex('sha256', `${Math.random()}${count}`), []],
  ['a random number', () => String(randomInt(2 ** 47)), []],
  ['a digest with a key', (count, name) => hex('sha256', `k7Werft${name}${count}`), []],
  ['the user name with a short code', (_count, name) => `${name}|7f3a9c`, []],
  ['the user name with a signature', (_count, name) => `${name}.${hex('sha1', `k7Werft${name}`)}`, []],
];

for (const [what, identifierOf, expected] of cases)
  test(`${what}: ${expected.length === 0 ? 'nothing is found' : expected.join(' ')}`, async () => {
    assert.equal(await found(identifierOf), expected);
  });

test.run();
