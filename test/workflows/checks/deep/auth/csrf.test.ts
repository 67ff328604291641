import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csrf } from '../../../../../workflows/checks/deep/auth/csrf.ts';
import { formToken, type ProfileDesign, profileSite, profileUser } from '../../../../fixtures/profiles.ts';
import { type Request, startSite } from '../../../../fixtures/site.ts';
import { check, openAudit, stored } from '../../harness.ts';

const test = suite('auth.csrf');

const base: ProfileDesign = {
  start: { name: 'Ann Archer', street: '14 Harbour Lane', city: 'Westport' },
  formFields: ['street', 'city'],
  profilePath: '/api/me',
  change: (profile, sent) => ({ ...profile, street: String(sent.street ?? ''), city: String(sent.city ?? '') }),
  isAdmin: () => false,
};
const tokenIn = ({ body }: Request) => new URLSearchParams(body).get('_token');

async function result(design: ProfileDesign) {
  const { handler, profile, changes } = profileSite(design);
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { identities: [profileUser], startPaths: ['/account'] });
  try {
    const found = await check(audit, csrf);
    return { ...found, profile: profile(), changes, writes: audit.writes };
  } finally {
    await audit.close();
    await site.close();
  }
}

const vulnerable: Record<string, ProfileDesign> = {
  'without a token, behind a cookie without SameSite': base,
  'whose token is looked at only when it is there': {
    ...base,
    attributes: 'path=/; Secure; SameSite=None',
    isOwnForm: (request) => tokenIn(request) === null || tokenIn(request) === formToken,
  },
};

for (const [which, design] of Object.entries(vulnerable)) {
  test(`a form ${which} is found, and what it changed is put back`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal(found.profile, design.start);
    assert.is(found.changes.length, 4);
    assert.ok(found.writes.every(({ identity, undo }) => identity === 'A' && undo.body?.includes('Harbour')));
    assert.not.match(stored(found), /Harbour|Westport|session-of/);
  });
}

const clean: Record<string, ProfileDesign> = {
  'with a token that is checked': { ...base, isOwnForm: (request) => tokenIn(request) === formToken },
  'that looks at the origin': {
    ...base,
    isOwnForm: ({ headers }) => headers.origin === undefined || new URL(headers.origin).host === headers.host,
  },
  'behind a cookie with SameSite=Lax': { ...base, attributes: 'Path=/; HttpOnly; samesite=lax' },
  'that shows a change without making it': { ...base, change: (profile) => profile },
};

for (const [which, design] of Object.entries(clean)) {
  test(`a form ${which} is clean, and nothing has changed`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    assert.equal(found.profile, design.start);
  });
}

test('a site without such a form is not applicable, and nothing is sent', async () => {
  const found = await result({ ...base, formFields: ['role'] });
  assert.equal([found.outcome.kind, found.writes.length], ['not-applicable', 0]);
});

test.run();
