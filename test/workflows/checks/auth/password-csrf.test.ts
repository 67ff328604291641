import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { passwordCsrf } from '../../../../workflows/checks/auth/password-csrf.check.ts';
import { type PasswordDesign, pageToken, passwordSite, passwordUser } from '../../../fixtures/password-pages.ts';
import { startSite } from '../../../fixtures/site.ts';
import { usualRows } from '../../../support/further.ts';
import { check, openAudit, places, stored } from '../harness.ts';

const test = suite('auth.password-csrf');

async function result(design: PasswordDesign, options: Parameters<typeof openAudit>[1] = {}) {
  const { handler, password, set } = passwordSite(design);
  const site = await startSite(handler);
  const audit = await openAudit(site.url, {
    ...{ identities: [passwordUser], startPaths: ['/account'], writes: 'create', depth: 'deep' },
    ...options,
  });
  try {
    const found = await check(audit, passwordCsrf);
    return { ...found, password: password(), set, writes: audit.writes, undone: audit.undone };
  } finally {
    await audit.close();
    await site.close();
  }
}

const vulnerable: Record<string, [PasswordDesign, severity: number]> = {
  'that is sent by GET, behind a cookie that is SameSite=Lax': [
    { method: 'GET', attributes: 'Path=/; SameSite=Lax' },
    8.1,
  ],
  'that is sent by POST, and says so on the next page': [{ leadsOn: true }, 6.8],
  'whose short name is explained beside it': [{ repeated: 'cpassword', fields: '<p>Confirm it below</p>' }, 6.8],
  'whose token is looked at only when it is there': [
    {
      isOwnForm: (_, sent) => [null, pageToken].includes(sent.get('token')),
      attributes: 'Path=/; Secure; SameSite=None',
    },
    8.1,
  ],
};

for (const [which, [design, score]] of usualRows(vulnerable, Object.keys(vulnerable).slice(0, 1)))
  test(`a form for a new password ${which} is found, and the password stays`, async () => {
    const found = await result(design);
    assert.equal(places(found), [`${design.method ?? 'POST'} /password new_password`], found.outcome.reason);
    assert.is(found.findings[0]?.cvss?.score, score);
    assert.is(found.password, passwordUser.login.password);
    assert.ok(found.set.length >= 3 && found.set.every((each) => each === passwordUser.login.password));
    assert.is(found.undone.length, found.writes.length);
    assert.not.match(stored(found) + JSON.stringify(found.writes), /correct-horse|session-of/);
  });

const clean: Record<string, PasswordDesign> = {
  'with a token that is checked': { isOwnForm: (_, sent) => sent.get('token') === pageToken },
  'that looks at where it was sent from': {
    isOwnForm: ({ headers }) => headers.origin === undefined || new URL(headers.origin).host === headers.host,
  },
  'behind a cookie that is SameSite=Lax': { attributes: 'Path=/; SameSite=Lax' },
  'sent by GET, behind a cookie that is SameSite=Strict': { method: 'GET', attributes: 'Path=/; SameSite=Strict' },
  'that says the same whatever is sent': { saysAnything: true },
  'that takes no password that was there before': { refusesSame: true },
};

for (const [which, design] of usualRows(clean, [
  'with a token that is checked',
  'that takes no password that was there before',
]))
  test(`a form for a new password ${which} is not found, and the password stays`, async () => {
    const found = await result(design);
    assert.equal([places(found), found.password], [[], passwordUser.login.password]);
  });

const left: Record<string, [PasswordDesign, Parameters<typeof openAudit>[1]?]> = {
  'that asks for the password from before': [{ fields: '<input type="password" name="current_password">' }],
  'whose second field may be for the password from before': [
    { heading: 'New password', fields: '<p>Your password</p>' },
  ],
  'whose short name may be that of the password from before': [{ repeated: 'cpassword' }],
  'for somebody who is named in it': [{ fields: '<input name="username" value="bea">' }],
  'on a site that is no test system': [{}, { writes: 'reversible' }],
  'that is shown to an administrator': [{}, { identities: [{ ...passwordUser, role: 'admin' }] }],
};

for (const [which, [design, options]] of usualRows(left, Object.keys(left).slice(0, 1)))
  test(`a form for a new password ${which} is never sent`, async () => {
    const found = await result(design, options);
    assert.equal([places(found), found.set, found.writes], [[], [], []]);
  });

test.run();
