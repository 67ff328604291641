import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { functionLevel } from '../../../../workflows/checks/access/function-level.check.ts';
import { type Answer, type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.function-level');

type Role = 'admin' | 'user' | 'visitor';
const sessions: Record<string, Role> = { 'session-of-root-5c1d': 'admin', 'session-of-bob-77b2': 'user' };
const tokenOf = ({ cookies, headers }: Request) => cookies.sid ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
const roleOf = (request: Request): Role => sessions[tokenOf(request)] ?? 'visitor';

const byCookie: TestIdentity[] = Object.entries(sessions).map(([sid, role]) => ({
  name: role,
  role: role === 'admin' ? 'administrator' : 'customer',
  cookies: { sid },
  checkPath: '/account',
  marker: 'Signed in',
}));
const byToken: TestIdentity[] = byCookie.map(({ cookies, ...identity }) => ({
  ...identity,
  headers: [['Authorization', `Bearer ${cookies?.sid}`]],
}));

const customers = ['Ann Archer, ann@northwind.example', 'Carl Cole, carl@northwind.example'];
const table = html(
  `<nav>Signed in</nav><h1>All customers</h1><ul>${customers.map((c) => `<li>${c}</li>`).join('')}</ul>`,
);
const refusal = html('<nav>Signed in</nav><h1>Not for you</h1>', 403);

/** A site that shows the way to its administration to administrators. */
const siteWith =
  (path: string, answer: (role: Role) => Answer, linkFor: Role[] = ['admin']): Handler =>
  (request) => {
    const role = roleOf(request);
    const link = linkFor.includes(role) ? `<a href="${path}">Administration</a>` : '';
    if (request.path === '/') return html(`<a href="/account">Account</a>${role === 'visitor' ? link : ''}`);
    if (request.path === '/account') return role === 'visitor' ? refusal : html(`<nav>Signed in</nav>${link}`);
    return request.path === path ? answer(role) : undefined;
  };

async function result(handler: Handler, identities = byCookie) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, functionLevel, { identities, startPaths: ['/account'] });
  } finally {
    await site.close();
  }
}

test('a page of the administration that every user may read is found', async () => {
  const found = await result(siteWith('/admin/customers', (role) => (role === 'visitor' ? refusal : table)));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /admin/customers']], found.outcome.reason);
});

test('a folder that shows its overview for every name has no page of that name', async () => {
  const site: Handler = (request) => {
    const role = roleOf(request);
    if (request.path.startsWith('/admin/')) return role === 'visitor' ? refusal : table;
    return siteWith('/admin/core', () => table)(request);
  };
  const found = await result(site);
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

/** A console for all who write, whose interface has "admin" in its path. */
const consoleOf =
  (links: Record<Role, string[]>): Handler =>
  (request) => {
    const role = roleOf(request);
    if (request.path === '/') return html('<a href="/account">Account</a>');
    if (role === 'visitor') return refusal;
    const list = links[role].map((path) => `<a href="${path}">${path}</a>`).join('');
    if (request.path === '/account') return html(`<nav>Signed in</nav>${list}`);
    return links.admin.includes(request.path) ? table : undefined;
  };

test('what stands in a branch in which the user works is not of the administration by its path', async () => {
  const own = ['/console/admin/posts', '/console/admin/tags', '/console/admin/pages'];
  const all = [...own, '/console/admin/letters'];
  const found = await result(consoleOf({ admin: all, user: own, visitor: [] }));
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  const few = await result(consoleOf({ admin: all, user: own.slice(0, 1), visitor: [] }));
  assert.is(few.outcome.kind, 'found', few.outcome.reason);
});

for (const path of firstRows(['/staff/customers', '/api/internal/customers', '/management/customers'], 1))
  test(`what stands at ${path} is of the administration`, async () => {
    const found = await result(siteWith(path, (role) => (role === 'visitor' ? refusal : table)));
    assert.equal(places(found), [`GET ${path}`], found.outcome.reason);
  });

const bundled = (answer: (role: Role) => Answer): Handler => {
  const site = siteWith('/api/admin/customers', answer, []);
  const bundle = { headers: { 'content-type': 'text/javascript' }, body: 'const routes = ["/api/admin/customers"]' };
  return (request) => {
    if (request.path === '/') return html('<a href="/account">Account</a><script src="/app.js"></script>');
    return request.path === '/app.js' ? bundle : site(request);
  };
};

further(test)('an address that the script of the site names to everybody is not offered to them', async () => {
  const found = await result(bundled((role) => (role === 'visitor' ? json({}, 401) : json(customers))));
  assert.equal(places(found), ['GET /api/admin/customers'], found.outcome.reason);
});

further(test)('an address that the script of the site names, and that asks for the role, is clean', async () => {
  const found = await result(bundled((role) => (role === 'admin' ? json(customers) : json({ error: 'no' }, 403))));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('an API of the administration that every token opens is found', async () => {
  const people = { total: 2, people: [{ mail: 'ann@northwind.example' }, { mail: 'carl@northwind.example' }] };
  const handler = siteWith('/api/v2/admin/people', (role) => (role === 'visitor' ? json({}, 401) : json(people)));
  const found = await result(handler, byToken);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /api/v2/admin/people']], found.outcome.reason);
});

further(test)('nothing that is stored holds a session or what the page says of people', async () => {
  const found = await result(siteWith('/admin/customers', (role) => (role === 'visitor' ? refusal : table)));
  assert.not.match(stored(found), /northwind|Archer|session-of/);
});

/** Authors are pointed to the newest of their articles, and may open those before it. */
const articles: Handler = (request) => {
  const role = roleOf(request);
  if (request.path === '/') return html('<a href="/account">Account</a>');
  if (role === 'visitor') return refusal;
  const shown = role === 'admin' ? [11, 12] : [12];
  if (request.path === '/account')
    return html(`<nav>Signed in</nav>${shown.map((id) => `<a href="/admin/article?id=${id}&view=form">${id}</a>`)}`);
  return request.path === '/admin/article' ? table : undefined;
};

/** Everybody has the list; only administrators are pointed to one of its orders. */
const ordered: Handler = (request) => {
  const role = roleOf(request);
  if (request.path === '/') return html('<a href="/account">Account</a>');
  if (role === 'visitor') return refusal;
  if (request.path === '/account')
    return html(`<nav>Signed in</nav><a href="/admin/articles?sort=${role === 'admin' ? 'rank' : 'title'}">List</a>`);
  return request.path === '/admin/articles' ? table : undefined;
};

/** Everybody has the list as it is; only administrators are pointed to its head, by which it is sorted. */
const sortable: Handler = (request) => {
  const role = roleOf(request);
  if (request.path === '/') return html('<a href="/account">Account</a>');
  if (role === 'visitor') return refusal;
  const sorting = role === 'admin' ? '<a href="/admin/articles?orderby=title&amp;order=asc&amp;paged=2">Title</a>' : '';
  if (request.path === '/account') return html(`<nav>Signed in</nav><a href="/admin/articles">List</a>${sorting}`);
  return request.path === '/admin/articles' ? table : undefined;
};

const clean: Record<string, Handler> = {
  'that points users to the same list, and only administrators to what sorts it': sortable,
  'that points users to the same list in another order': ordered,
  'that points users to other pages of that kind': articles,
  'that refuses users': siteWith('/admin/customers', (role) => (role === 'admin' ? table : refusal)),
  'that refuses users with status 200': siteWith('/admin/customers', (role) =>
    role === 'admin' ? table : html('<nav>Signed in</nav><h1>All customers</h1><p>You may not see this list.</p>'),
  ),
  'that shows users their own part of it': siteWith('/admin/customers', (role) =>
    role === 'admin' ? table : html('<nav>Signed in</nav><p>Bob Baker, bob@northwind.example</p>'),
  ),
  'that users are pointed to': siteWith('/admin/profile', (role) => (role === 'visitor' ? refusal : table), [
    'admin',
    'user',
  ]),
  'that is public': siteWith('/admin/manual', () => table),
  'whose page is for members, by its name': siteWith('/users/ann', (role) => (role === 'visitor' ? refusal : table)),
};

for (const [which, handler] of Object.entries(clean)) {
  test(`a site ${which} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('without an administrator’s login the check is not run, and says so', async () => {
  const handler = siteWith('/admin/customers', () => table);
  const { outcome } = await result(
    handler,
    byCookie.filter(({ name }) => name === 'user'),
  );
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /administrator/);
});

const accounts = html(
  `<nav>Signed in</nav><h1>Crew</h1><table><tr><th>Name<th>Mail<th>Role${['ann', 'carl', 'dora']
    .map(
      (name) =>
        `<tr><td>${name}<td>${name}@northwind.example<td><form method=post action=/crew/role><input type=hidden name=user value=${name}><select name=role><option>user<option>admin</select><button>Save</button></form>`,
    )
    .join('')}</table>`,
);
const news = html('<nav>Signed in</nav><h1>News of the crew</h1><p>Ann Archer has a boat.</p><p>Carl Cole, too.</p>');

for (const [what, answer, count] of [
  ['that manages accounts is found', (role: Role) => (role === 'visitor' ? refusal : accounts), 1],
  [
    'that manages accounts is clean where users are refused',
    (role: Role) => (role === 'admin' ? accounts : refusal),
    0,
  ],
  ['that members may read is no finding', (role: Role) => (role === 'visitor' ? refusal : news), 0],
] as const)
  test(`a page whose path says nothing ${what}`, async () => {
    const found = await result(siteWith('/crew', answer));
    assert.equal(places(found).length, count, found.outcome.reason);
  });

test.run();
