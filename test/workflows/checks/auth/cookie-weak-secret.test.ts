import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookieWeakSecret } from '../../../../workflows/checks/auth/cookie-weak-secret.check.ts';
import { keyThatSigned, parseJwt, signJwt } from '../../../../workflows/checks/sessions/jwt.ts';
import { clubMember, type SessionMaker, signedClub } from '../../../fixtures/signed-sessions.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
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
  further(test)(`${maker}: a common word is found by the session of a user`, async () => {
    assert.is(await found(signedClub(maker, secret), { hasUser: true }), 1);
  });
  further(test)(`${maker}: and by that of a visitor, whose role is raised`, async () => {
    assert.is(await found(signedClub(maker, secret), { hasUser: false }), 1);
  });
  further(test)(`${maker}: a random secret is not found`, async () => {
    assert.is(await found(signedClub(maker, random()), { hasUser: true }), 0);
    assert.is(await found(signedClub(maker, random()), { hasUser: false }), 0);
  });
}

further(test)('a signed cookie beside the session that decides on nothing is no finding', async () => {
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

/** A visitor gets a token that says that they are a guest. */
const tokenSite =
  (secret: string): Handler =>
  ({ path, cookies }) => {
    const given = parseJwt(cookies.pass ?? '');
    const claims = given && keyThatSigned(given, secret) ? given.claims : undefined;
    const pass = signJwt({ alg: 'HS256', typ: 'JWT' }, { who: 'guest', role: 'guest' }, Buffer.from(secret));
    if (path === '/')
      return html('<a href="/vault">Vault</a>', 200, claims ? {} : { 'set-cookie': `pass=${pass}; Path=/; HttpOnly` });
    if (path !== '/vault') return undefined;
    return claims?.role === 'admin' ? html('<p>Gold: 417 bars, silver: 96 bars</p>') : html('<p>Forbidden</p>', 403);
  };

test('a token of a visitor that is signed with a common word is found, and with a random one not', async () => {
  assert.is(await found(tokenSite('supersecret'), { hasUser: false }), 1);
  assert.is(await found(tokenSite(random()), { hasUser: false }), 0);
});

test.run();
