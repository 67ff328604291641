import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csrf } from '../../../../workflows/checks/auth/csrf.check.ts';
import { formToken, type ProfileDesign, profileSite, profileUser } from '../../../fixtures/profiles.ts';
import { type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('auth.csrf');

const base: ProfileDesign = {
  start: { name: 'Ann Archer', street: '14 Harbour Lane', city: 'Westport' },
  formFields: ['street', 'city'],
  profilePath: '/api/me',
  change: (profile, sent) => ({ ...profile, street: String(sent.street ?? ''), city: String(sent.city ?? '') }),
  isAdmin: () => false,
};
const tokenIn = ({ body }: Request) => new URLSearchParams(body).get('_token');

async function result(design: ProfileDesign, options: Parameters<typeof openAudit>[1] = {}) {
  const { handler, profile, changes } = profileSite(design);
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { identities: [profileUser], startPaths: ['/account'], ...options });
  try {
    const found = await check(audit, csrf);
    const { writes, undone } = audit;
    return { ...found, profile: profile(), changes, writes, undone };
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
  'whose token, another one with each load, is asked of its own pages only': {
    ...base,
    newTokens: true,
    isOwnForm: (request, token) =>
      new URL(request.headers.origin ?? '').host !== request.headers.host || tokenIn(request) === token,
  },
  'with a box whose hidden twin says no': {
    ...base,
    start: { ...base.start, news: false },
    change: (profile, sent) => ({ ...base.change(profile, sent, 'POST'), news: sent.news === '1' }),
    moreFields: ({ news }) => `<input type="hidden" name="news" value="0">
      <input type="checkbox" name="news" value="1"${news ? ' checked' : ''}>`,
  },
  'with boxes, a list and a text of several lines': {
    ...base,
    start: { ...base.start, news: false, kind: 'b', about: 'one\r\ntwo' },
    change: (_profile, sent) => ({
      name: 'Ann Archer',
      street: String(sent.street ?? ''),
      city: String(sent.city ?? ''),
      news: sent.news === 'on',
      kind: String(sent.kind ?? ''),
      about: String(sent.about ?? ''),
    }),
    moreFields: ({ news, kind, about }) => `<input type="checkbox" name="news"${news ? ' checked' : ''}>
      <select name="kind"><option>a</option><option${kind === 'b' ? ' selected' : ''}>b</option></select>
      <textarea name="about">\n${about}</textarea>`,
  },
};

for (const [which, design] of firstRows(Object.entries(vulnerable), 1)) {
  test(`a form ${which} is found, and what it changed is put back`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal(found.profile, design.start);
    assert.ok(found.changes.length >= 4);
    assert.is(found.undone.length, found.writes.length);
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
  'behind a cookie that each site around it has apart': {
    ...base,
    attributes: 'Path=/; Secure; SameSite=None; Partitioned',
  },
  'that shows a change without making it': { ...base, change: (profile) => profile },
};

for (const [which, design] of firstRows(Object.entries(clean), 2)) {
  test(`a form ${which} is clean, and nothing has changed`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    assert.equal(found.profile, design.start);
    assert.is(found.undone.length, found.writes.length);
  });
}

further(test)(
  'a form that is sent by GET is found behind a cookie with SameSite=Lax, which links of other sites bring along',
  async () => {
    const design: ProfileDesign = { ...base, byGet: true, attributes: 'Path=/; HttpOnly; SameSite=Lax' };
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings[0]?.location?.method], ['found', 'GET'], found.outcome.reason);
    assert.equal([found.profile, found.undone.length], [design.start, found.writes.length]);
    assert.not.match(stored(found), /Harbour|Westport|session-of/);
    for (const mended of [
      { ...design, isOwnForm: () => true },
      { ...design, attributes: 'Path=/; HttpOnly; SameSite=Strict' },
      { ...design, change: (profile: ProfileDesign['start']) => profile },
    ]) {
      const clean = await result(mended);
      assert.equal([clean.outcome.kind, clean.profile], ['clean', design.start], clean.outcome.reason);
    }
  },
);

further(test)('a site without such a form is not applicable, and nothing is sent', async () => {
  const found = await result({ ...base, formFields: ['role'] });
  assert.equal([found.outcome.kind, found.writes.length], ['not-applicable', 0]);
});

for (const [which, moreFields] of firstRows(
  Object.entries({
    'that shows something else with each load': (): string => `<input name="company" value="${Math.random()}">`,
    'whose address is that of another one, too': (): string =>
      '</form><form method="post" action="/account"><input name="street" value="5 Mill Lane">',
    'that takes a password along': (): string => '<input type="password" name="current">',
  }),
  1,
)) {
  test(`a form ${which} is left alone: it could not be shown to be as before`, async () => {
    const found = await result({ ...base, moreFields });
    assert.equal([found.outcome.kind, found.changes.length, found.writes.length], ['not-applicable', 0, 0]);
  });
}

further(test)(
  'a form with a new password and an address is tried as an account of the audit alone, and both stay as they are',
  async () => {
    const design: ProfileDesign = {
      ...base,
      start: { name: 'Ann Archer', email: 'ann@shop.example' },
      formFields: ['name', 'email'],
      change: (profile, sent) =>
        sent.password === ''
          ? { ...profile, name: String(sent.name ?? ''), email: String(sent.email ?? '') }
          : undefined,
      moreFields: () => '<input type="password" name="password"><input type="password" name="confirm_password">',
    };
    const own = { ...profileUser, name: 'registered_1' };
    const found = await result(design, { identities: [own], writes: 'create' });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal(found.profile, design.start);
    assert.ok(found.changes.length > 0 && found.changes.every(({ email }) => email === 'ann@shop.example'));
    const kept: [ProfileDesign, Parameters<typeof openAudit>[1]][] = [
      [design, { writes: 'create' }],
      [design, { identities: [own] }],
      [
        { ...design, moreFields: () => '<input type="password" name="current_password">' },
        { identities: [own], writes: 'create' },
      ],
      [
        { ...design, moreFields: () => '<input type="password" name="password" required>' },
        { identities: [own], writes: 'create' },
      ],
    ];
    for (const [each, options] of kept) assert.is((await result(each, options)).changes.length, 0);
  },
);

further(test)('a form whose version counts changes is put back with the version that it has by then', async () => {
  const found = await result({
    ...base,
    start: { ...base.start, version: 1 },
    change: (profile, sent) =>
      sent.version === String(profile.version)
        ? { ...profile, street: String(sent.street), version: Number(profile.version) + 1 }
        : undefined,
    moreFields: ({ version }) => `<input type="hidden" name="version" value="${version}">`,
  });
  assert.equal([found.changes.length > 0, found.profile.street], [true, base.start.street]);
  assert.is(found.undone.length, found.writes.length);
});

further(test)('what is recorded of a write holds neither the session nor a token of the form', async () => {
  const { writes } = await result({ ...base, isOwnForm: () => true });
  assert.ok(writes.length > 0);
  assert.not.match(JSON.stringify(writes), new RegExp(`session-of-ann|${formToken}`));
});

test.run();
