import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resetToken } from '../../../../workflows/checks/auth/reset-token.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { html, redirect } from '../../../fixtures/site.ts';
import { forgetful, md5, type ResettingSite, sent, startResetting } from '../../../scorecard/sites/resetting.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('tokens of a password reset that anybody comes to');

async function audit(resetting: ResettingSite, writes: 'create' | 'reversible' = 'create', name = forgetful.name) {
  const site = await startResetting(resetting);
  const opened = await openAudit(site.url, { depth: 'deep', writes, identities: [{ ...forgetful, name }] });
  const before = opened.requests();
  try {
    const { findings, outcome } = await check(opened, resetToken as Check);
    const posted = site.requests.filter((request) => request.startsWith('POST /reset-password'));
    return { found: findings.length, kind: outcome.kind, posted, requests: opened.requests() - before };
  } finally {
    await opened.close();
    await site.close();
  }
}
const json = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

const vulnerable: [what: string, site: ResettingSite][] = [
  [
    'a link relative to its page',
    { answer: (token) => html(`<a href="reset-password?username=dora&amp;token=${token}">Set it</a>`) },
  ],
  [
    'a link in a comment',
    { answer: (token) => html(`<p>On its way.</p><!-- https://quay.example/reset-password?token=${token} -->`) },
  ],
  [
    'a link that names its account behind the token',
    { answer: (token) => html(`<a href="/reset-password?token=${token}&amp;username=dora">Set it</a>`) },
  ],
  ['a redirect', { answer: (token) => redirect(`/reset-password?token=${token}`) }],
  [
    'a link in JSON, with slashes escaped',
    {
      answer: (token) => ({
        ...json({}),
        body: `{"ok":true,"link":"http:\\/\\/quay.example\\/reset-password?email=dora@quay.example&token=${token}"}`,
      }),
    },
  ],
  ['a token in JSON without a link', { answer: (token) => json({ ok: true, reset_token: token }) }],
  ['a digest of the address', { answer: () => sent, tokenOf: md5 }],
  ['a digest of the address, beside the address', { answer: () => sent, tokenOf: md5, needsName: true }],
  ['the address in base64', { answer: () => sent, tokenOf: (name) => Buffer.from(name).toString('base64') }],
];
for (const [what, site] of firstRows(vulnerable, 1))
  test(`${what} is found, and no password is set`, async () => {
    const { found, posted, requests } = await audit(site);
    assert.equal([found, posted], [1, []]);
    assert.ok(requests < 80, String(requests));
  });

const clean: [what: string, site: ResettingSite][] = [
  ['a random token beside the address', { answer: () => sent, needsName: true }],
  ['a random token that stays in the mail', { answer: () => sent }],
  ['a page that shows its form for any token', { answer: () => sent, shows: 'for-any-token' }],
  [
    'a link to a page that shows its form for any token',
    { answer: (token) => redirect(`/reset-password?token=${token}`), shows: 'for-any-token' },
  ],
  [
    'an example of a link, for everybody',
    {
      answer: () => html('<p>Look for a link like /reset-password?token=abcd1234abcd</p>'),
      unknown: html('<p>Look for a link like /reset-password?token=abcd1234abcd</p>'),
    },
  ],
  [
    'the number of the request, which opens nothing',
    { answer: (token) => html(`<a href="/reset-password?token=${token.slice(0, 12)}">Have you a code?</a>`) },
  ],
];
for (const [what, site] of firstRows(clean, 2))
  test(`${what} is not`, async () => {
    assert.is((await audit(site)).found, 0);
  });

test('where nothing may stay, nothing is asked', async () => {
  assert.is((await audit({ answer: () => sent }, 'reversible')).kind, 'not-run');
});

further(test)('an account that a page gives everybody is asked for, and not one that is somebody’s', async () => {
  const site: ResettingSite = { answer: (token) => json({ ok: true, reset_token: token }) };
  assert.is((await audit(site, 'create', 'shown_1')).found, 1);
  assert.is((await audit(site, 'create', 'usual_1')).kind, 'not-run');
});

test.run();
