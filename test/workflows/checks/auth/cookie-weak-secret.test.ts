import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookieWeakSecret } from '../../../../workflows/checks/auth/cookie-weak-secret.check.ts';
import { clubMember, type SessionMaker, signedClub } from '../../../fixtures/signed-sessions.ts';
import { type Handler, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('secrets of signed session cookies');
const random = () => randomBytes(24).toString('hex');

async function found(handler: Handler, { hasUser }: { hasUser: boolean }): Promise<number> {
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { depth: 'deep', identities: hasUser ? [clubMember] : [] });
  try {
    return (await check(audit, cookieWeakSecret as Parameters<typeof check>[1])).findings.length;
  } finally {
    await audit.close();
    await site.close();
  }
}

const weak: [SessionMaker, string][] = [
  ['flask', 'changeme'],
  ['starlette', 'supersecret'],
  ['cookie-session', 'keyboard cat'],
  ['django', 'changeme'],
  ['rack', 'secret'],
  ['express', 'keyboard cat'],
];
for (const [maker, secret] of firstRows(weak, 1)) {
  test(`${maker}: a common word is found by the session of a user`, async () => {
    assert.is(await found(signedClub(maker, secret), { hasUser: true }), 1);
  });
  test(`${maker}: and by that of a visitor, whose role is raised`, async () => {
    assert.is(await found(signedClub(maker, secret), { hasUser: false }), 1);
  });
  test(`${maker}: a random secret is not found`, async () => {
    assert.is(await found(signedClub(maker, random()), { hasUser: true }), 0);
    assert.is(await found(signedClub(maker, random()), { hasUser: false }), 0);
  });
}

test('a signed cookie beside the session that decides on nothing is no finding', async () => {
  const club = signedClub('flask', random());
  const beside = signedClub('flask', 'changeme');
  const handler: Handler = (request) => {
    const answer = club(request);
    const other = beside({ ...request, cookies: {} })?.headers?.['set-cookie'];
    const cookies = [answer?.headers?.['set-cookie'] ?? [], String(other ?? '').replace(/^session=/, 'shown=')].flat();
    return answer && { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } };
  };
  assert.is(await found(handler, { hasUser: true }), 0);
  assert.is(await found(handler, { hasUser: false }), 0);
});

test.run();
