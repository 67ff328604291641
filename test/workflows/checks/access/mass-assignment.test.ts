import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { massAssignment } from '../../../../workflows/checks/access/mass-assignment.check.ts';
import { type ProfileDesign, profileSite, profileUser } from '../../../fixtures/profiles.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored, testBrowsers } from '../harness.ts';

const test = suite('access.mass-assignment');
const browsers = testBrowsers();
test.after(() => browsers.close());

const only = (names: string[], sent: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name))) as ProfileDesign['start'];

const form: ProfileDesign = {
  start: { id: 7, name: 'Ann Archer', street: '14 Harbour Lane', city: 'Westport', role: 'customer' },
  formFields: ['street', 'city'],
  profilePath: '/api/me',
  change: (profile, sent, method) =>
    method === 'POST' ? { ...profile, ...only(['street', 'city', 'role'], sent) } : undefined,
  isAdmin: ({ role }) => role === 'admin',
};
const api: ProfileDesign = {
  start: { login: 'ann', displayName: 'Ann Archer', isAdmin: false },
  formFields: ['nickname'],
  profilePath: '/api/v1/users/profile',
  change: (profile, sent, method) =>
    method === 'PATCH' ? { ...profile, ...only(['displayName', 'isAdmin'], sent) } : undefined,
  isAdmin: ({ isAdmin }) => isAdmin === true,
};
/** Takes nothing less than all of it. */
const whole: ProfileDesign = {
  ...form,
  change: (profile, sent, method) =>
    method === 'PUT' && Object.keys(profile).every((name) => name in sent)
      ? only(Object.keys(profile), sent)
      : undefined,
};
/** Rights are a number. */
const level: ProfileDesign = {
  ...whole,
  start: { login: 'ann', phone: '', access_level: 1 } as never,
  formFields: ['phone'],
  profilePath: '/api/me',
  change: (profile, sent, method) =>
    method === 'PUT' ? { ...profile, ...only(['phone', 'access_level'], sent) } : undefined,
};

/** Its form has a token, another one with each load. */
const guarded: ProfileDesign = {
  ...form,
  newTokens: true,
  isOwnForm: ({ body }, token) => new URLSearchParams(body).get('_token') === token,
};

async function result(design: ProfileDesign, role = 'user') {
  const { handler, profile, changes } = profileSite(design);
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { identities: [{ ...profileUser, role }], startPaths: ['/account'] });
  try {
    const found = await check(audit, massAssignment);
    const { writes, undone } = audit;
    return { ...found, profile: profile(), changes, writes, undone };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [how, [design, method, field]] of firstRows(
  Object.entries({
    'a form': [form, 'POST', 'role'],
    'a form with a token': [guarded, 'POST', 'role'],
    'a part of JSON': [api, 'PATCH', 'isAdmin'],
    'the whole as JSON': [whole, 'PUT', 'role'],
    'a level of access': [level, 'PUT', 'access_level'],
  } as const),
  1,
)) {
  test(`a role that is taken from ${how} is found, announced and put back`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    const { location } = found.findings[0] ?? {};
    assert.equal([location?.method, location?.parameter], [method, field]);
    assert.equal(found.profile, design.start);
    assert.ok(found.writes.length >= found.changes.length && found.changes.length === 4);
    assert.is(found.undone.length, found.writes.length);
    assert.ok(found.writes.every(({ undo }) => undo.body?.includes(String(design.start[field]))));
  });
}

const changed = `<p>Ann</p><a href="/logout">Log out</a><button onclick="fetch('/api/me',{method:'PATCH',headers:{'content-type':'application/json'},body:JSON.stringify({displayName:'Ann A.'})})">Save</button>`;

further(test)('a profile that a page changes, and no page asks for, is asked for', async () => {
  const { handler, profile } = profileSite({ ...api, profilePath: '/api/me' });
  const site = await startSite((request) =>
    request.path === '/account' && request.cookies.sid ? html(changed) : handler(request),
  );
  const identities = [{ ...profileUser, role: 'user' }];
  const audit = await openAudit(site.url, { identities, startPaths: ['/account'], browsers });
  try {
    const found = await check(audit, massAssignment);
    assert.equal(
      [found.outcome.kind, found.findings[0]?.location?.parameter],
      ['found', 'isAdmin'],
      found.outcome.reason,
    );
    assert.equal(profile(), api.start);
  } finally {
    await audit.close();
    await site.close();
  }
});

for (const [where, path, isFound] of [
  ['the own account', '/api/members/7', true],
  ['another account', '/api/members/8', false],
] as const)
  test(`what a page changes at the address of ${where} by its identifier ${isFound ? 'is' : 'is not'} tried`, async () => {
    const start = { id: 7, login: 'ann', displayName: 'Ann Archer', isAdmin: false };
    const { handler, changes } = profileSite({ ...api, start, profilePath: path });
    const page = changed.replace('/api/me', path);
    const site = await startSite((request) => {
      if (!request.cookies.sid) return handler(request);
      if (request.path === '/account') return html(page);
      return request.path === '/api/session' ? json({ id: 7, login: 'ann' }) : handler(request);
    });
    const identities = [{ ...profileUser, role: 'user', checkPath: '/api/session', marker: '"ann"' }];
    const audit = await openAudit(site.url, { identities, startPaths: ['/account'], browsers });
    try {
      const found = await check(audit, massAssignment);
      assert.is(found.findings.length, isFound ? 1 : 0, found.outcome.reason);
      assert.is(changes.length, isFound ? 4 : 0);
    } finally {
      await audit.close();
      await site.close();
    }
  });

for (const [kind, crew, script] of [
  ['an answer about other people has', true, ''],
  ['a script compares with', false, "if (me.role === 'planner') show('plans'); if (me.role !== 'courier') hide('map')"],
] as const)
  further(test)(`a role by a word of the site, which ${kind}, is sent where no other is taken`, async () => {
    const roles = ['courier', 'planner'];
    const design: ProfileDesign = {
      ...api,
      start: { login: 'ann', role: 'courier' },
      profilePath: '/api/me',
      change: (profile, sent) =>
        roles.includes(String(sent.role)) ? { ...profile, ...only(['role'], sent) } : undefined,
      isAdmin: () => false,
    };
    const { handler, profile } = profileSite(design);
    const people = roles.map((role, index) => ({ name: `crew ${index}`, role }));
    const site = await startSite((request) => {
      if (!request.cookies.sid) return handler(request);
      if (request.path === '/api/crew' && crew) return json(people);
      if (request.path === '/me.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
      const links = `${crew ? '<a href="/api/crew">Crew</a>' : '<script src="/me.js"></script>'}<a href="/api/me">Me</a>`;
      return request.path === '/account' ? html(`<p>Ann</p>${links}`) : handler(request);
    });
    const audit = await openAudit(site.url, {
      identities: [{ ...profileUser, role: 'user' }],
      startPaths: ['/account'],
    });
    try {
      const found = await check(audit, massAssignment);
      assert.is(found.outcome.kind, 'found', found.outcome.reason);
      assert.match(stored(found), /planner/);
      assert.equal(profile(), design.start);
    } finally {
      await audit.close();
      await site.close();
    }
  });

/** An account in a profile, and a list of rights. */
const nested = (taken: string[]): ProfileDesign => ({
  start: {
    name: 'Ann Archer',
    account: { plan: 'basic', role: 'customer' },
    permissions: ['read'],
    job: { role: 'user' },
  } as never,
  formFields: ['name'],
  profilePath: '/api/me',
  change: (profile, sent, method) => (method === 'PATCH' ? { ...profile, ...only(taken, sent) } : undefined),
  isAdmin: () => false,
});

further(test)(
  'a role in a part of the profile and a list of rights are found and put back, and what somebody works as is neither',
  async () => {
    const found = await result(nested(['name', 'account', 'permissions', 'job']));
    const names = found.findings.map(({ location }) => location?.parameter).sort();
    assert.equal(names, ['account.role', 'permissions']);
    assert.equal(found.profile, nested([]).start);
    assert.is(found.undone.length, found.writes.length);
    assert.equal((await result(nested(['name', 'job']))).findings, []);
  },
);

further(test)('a field that is stored is no more than that: the finding is low', async () => {
  for (const design of [form, { ...form, start: { ...form.start, role: 'x', account_type: 'customer' } }]) {
    const found = await result({
      ...design,
      change: (profile, sent, method) =>
        method === 'PATCH' ? ({ ...profile, ...sent } as ProfileDesign['start']) : undefined,
      isAdmin: () => false,
    });
    assert.is(found.findings[0]?.severity, Severity.LOW, found.outcome.reason);
  }
});

const clean: Record<string, ProfileDesign> = {
  'that has no way to change a profile': { ...form, change: () => undefined },
  'that shows no role that could be changed': { ...form, start: { id: 7, name: 'Ann Archer', type: 'address' } },
  'that takes the fields of its form only': {
    ...form,
    change: (profile, sent) => ({ ...profile, ...only(['street', 'city'], sent) }),
  },
  'that refuses what it does not know': {
    ...form,
    change: (profile, sent) => ('role' in sent ? undefined : { ...profile, ...only(['street', 'city'], sent) }),
  },
};

for (const [which, design] of firstRows(Object.entries(clean), 1)) {
  test(`a site ${which} is clean, and the profile is as it was`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    assert.equal(found.profile, design.start);
    assert.is(found.undone.length, found.writes.length);
  });
}

further(test)('nothing is sent for an administrator: there is no role to gain', async () => {
  const found = await result(form, 'admin');
  assert.equal([found.outcome.kind, found.writes.length], ['not-run', 0]);
});

further(test)('a profile that holds a key is not sent as a whole: the key would have to be recorded', async () => {
  const design = { ...whole, start: { ...whole.start, apiKey: 'k5Jx91mQz7Lp3RtV' } };
  const found = await result(design);
  assert.equal([found.outcome.kind, found.changes.length], ['clean', 0]);
  assert.ok(found.writes.length > 0);
  assert.not.match(JSON.stringify(found.writes), /k5Jx91mQz7Lp3RtV/);
});

further(test)('nothing that is stored says where the user lives', async () => {
  assert.not.match(stored(await result(form)), /Harbour|Westport|Archer|session-of/);
});

test.run();
