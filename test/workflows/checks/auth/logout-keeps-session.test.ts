import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logoutKeepsSession } from '../../../../workflows/checks/auth/logout-keeps-session.check.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('auth.logout-keeps-session');

async function result(design: MembersDesign) {
  const site = await startSite(membersSite(design));
  const audit = await openAudit(site.url, { identities: [memberOf(design)] });
  try {
    const found = await check(audit, logoutKeepsSession);
    const own = await audit.context.as('A', `${site.url}/home`);
    return { ...found, isScanLoggedIn: own.status === 200, requests: site.requests };
  } finally {
    await audit.close();
    await site.close();
  }
}

const designs: Record<string, MembersDesign> = {
  'a form with a token': sound,
  'a link, after a login with JSON': { ...sound, login: 'json', logout: 'link', cookie: 'JSESSIONID' },
  'a link with a token in its address': { ...sound, logout: 'link with token', beforeLogin: 'none' },
};

for (const [how, design] of firstRows(Object.entries(designs), 1)) {
  test(`a session that outlives the logout by ${how} is found`, async () => {
    const found = await result({ ...design, afterLogout: 'alive' });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.match(found.findings[0]?.location?.url ?? '', /\/logout/);
  });

  test(`a session that the logout by ${how} ends is clean, and the scan’s own goes on`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.outcome.reason, found.isScanLoggedIn], ['clean', '', true]);
    assert.ok(found.requests.some((request) => request.includes(' /logout')));
  });
}

test('a link that only asks whether to log out ends nothing, and proves nothing', async () => {
  const found = await result({ ...sound, logout: 'confirmation', afterLogout: 'alive' });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
});

test('a site without a way out is not applicable', async () => {
  assert.is((await result({ ...sound, logout: 'none' })).outcome.kind, 'not-applicable');
});

test('an identity whose session was given as it is cannot show it, and the check says so', async () => {
  const site = await startSite(membersSite(sound));
  const { login, ...given } = memberOf(sound);
  const audit = await openAudit(site.url, { identities: [given] });
  const { outcome } = await check(audit, logoutKeepsSession);
  await audit.close();
  await site.close();
  assert.equal([outcome.kind, login.path], ['not-run', '/login']);
});

further(test)('nothing that is stored holds a session, a token or the password', async () => {
  const found = await result({ ...sound, afterLogout: 'alive' });
  const text = stored(found);
  assert.not.match(text, /sess[0-9a-f]{32}|correct-horse/);
  assert.match(text, /masked/);
  assert.match(found.findings[0]?.proof?.curl ?? '', /-H "Cookie: \$\{COOKIES:\?\}"/);
});

test.run();
