import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { userAdministration } from '../../../../workflows/checks/access/user-administration.check.ts';
import { type Answer, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, type TestIdentity } from '../harness.ts';

const test = suite('access.user-administration');

const session = 'session-of-lena-5c1d';
const user: TestIdentity = { name: 'A', cookies: { sid: session }, checkPath: '/account', marker: 'lena' };
const accounts = [
  { name: 'boss', email: 'boss@garden.example', role: 'admin' },
  { name: 'lena', email: 'lena@garden.example', role: 'user' },
  { name: 'ruth', email: 'ruth@garden.example', role: 'user' },
];
type Account = (typeof accounts)[number];

const row = ({ name, email, role }: Account) => `<tr><td>${name}</td><td>${email}</td><td>${role}</td></tr>`;
const table = (rows: readonly Account[]): Answer => html(`<h1>Members</h1><table>${rows.map(row).join('')}</table>`);
const refused = html('<h1>Administrators only</h1>', 403);

/** A site with one user, whom nothing leads to its administration. */
type Design = {
  pages: Record<string, Answer>;
  mayRead?(isUser: boolean): boolean;
  /** Stands on the account page. */
  links?: string;
  script?: string;
};

const site =
  ({ pages, mayRead = (isUser) => isUser, links = '', script = '' }: Design): Handler =>
  ({ path, cookies }) => {
    const isUser = cookies.sid === session;
    if (path === '/') return html(`<h1>Garden</h1><a href="/account">Account</a><script src="/app.js"></script>`);
    if (path === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
    if (path === '/account') return isUser ? html(`<p>Signed in as lena</p>${links}`) : refused;
    const page = pages[path];
    if (!page) return undefined;
    return mayRead(isUser) ? page : refused;
  };

async function result(design: Design, identities = [user]) {
  const started = await startSite(site(design));
  const audit = await openAudit(started.url, { identities, startPaths: ['/account'] });
  try {
    for (const identity of Object.values(audit.context.identities)) identity.userName = 'lena';
    return await check(audit, userAdministration);
  } finally {
    await audit.close();
    await started.close();
  }
}

const overview = html('<h1>Administration</h1><a href="/admin/people">People</a>');
const settings = html(
  '<form method="post"><input name="site_name"><input name="smtp_host"><input name="timezone"><button>Save</button></form>',
);
const renamed = accounts.map((account) => ({ ...account, role: account.role === 'user' ? 'gardener' : account.role }));
const flagged = accounts.map(({ role, ...account }) => ({ ...account, admin: role === 'admin' }));
const vulnerable: [string, Design][] = [
  ['accounts that say of everybody whether they are administrators', { pages: { '/api/admin/users': json(flagged) } }],
  ['accounts whose roles the site calls as it likes', { pages: { '/admin/users': table(renamed) } }],
  ['accounts with their roles at a usual address', { pages: { '/admin/users': table(accounts) } }],
  ['accounts that the overview leads to', { pages: { '/admin': overview, '/admin/people': table(accounts) } }],
  [
    'an interface that a script names',
    { pages: { '/api/admin/list-members': json(accounts) }, script: 'load("/api/admin/list-members")' },
  ],
  [
    'a page that calls itself the administration',
    { pages: { '/admin/panel': html('<title>Garden</title><h2>Admin panel</h2><p>Key of the shed: 4417-88</p>') } },
  ],
  ['data of an interface', { pages: { '/api/admin/stats': json({ visits: 812, income: 4410.5 }) } }],
  ['settings of the site', { pages: { '/admin/settings': settings } }],
];

for (const [what, design] of firstRows(vulnerable, 2)) {
  test(`${what}, shown to every user, are found`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });
  test(`${what}, refused to users, are no finding`, async () => {
    const found = await result({ ...design, mayRead: () => false });
    assert.equal(found.findings.length, 0, found.outcome.reason);
  });
}

const raised = accounts.map((account) => (account.name === 'lena' ? { ...account, role: 'admin' } : account));
const team = accounts.map((account) => ({ ...account, role: 'editor' }));
const clean: [string, Design][] = [
  ['a page that visitors see, too', { pages: { '/admin/users': table(accounts) }, mayRead: () => true }],
  ['the accounts of a company whose administrator the user is', { pages: { '/admin/users': table(raised) } }],
  [
    'the same of an interface',
    {
      pages: {
        '/api/admin/users': json(flagged.map((each) => ({ ...each, admin: each.admin || each.name === 'lena' }))),
      },
    },
  ],
  [
    'a page that the user is led to',
    { pages: { '/admin/users': table(accounts) }, links: '<a href="/admin/users">Everybody</a>' },
  ],
  ['people who present themselves', { pages: { '/staff': table(team), '/admin/users': table(team) } }],
  ['a directory for members', { pages: { '/users': table(accounts), '/members': table(accounts) } }],
  [
    'an administration that asks whom it shows itself to',
    { pages: { '/admin': html('<h1>Admin panel</h1><p>Please log in as one of the team</p>') } },
  ],
  [
    'an administration that has nothing of its own',
    { pages: { '/admin': html('<h1>Administration</h1><p>Signed in as lena</p>') } },
  ],
  ['an answer that says no as data', { pages: { '/api/admin': json({ error: 'not you', message: 'lena', code: 7 }) } }],
  ['a refusal with status 200', { pages: { '/admin': html('<h1>Sorry, lena</h1><p>Ask an administrator.</p>') } }],
];

for (const [what, design] of firstRows(clean, 4))
  test(`${what} is no finding`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

further(test)(
  'an address that only a description of the interface names is asked for, and one that the start page leads to is not',
  async () => {
    const found = async (source: string) => {
      const started = await startSite(site({ pages: { '/admin/members': json(accounts) } }));
      const audit = await openAudit(started.url, { identities: [user], startPaths: ['/account'] });
      try {
        const { context } = audit;
        for (const identity of Object.values(context.identities)) identity.userName = 'lena';
        const own = context.surfaces.A ?? context.surface;
        const url = new URL('/admin/members', started.url).href;
        const [page] = own.pages;
        assert.ok(page);
        const pages = [...own.pages, { ...page, url, status: 200, source }];
        const surfaces = { A: { ...own, pages } };
        return (await check({ ...audit, context: { ...context, surfaces } }, userAdministration)).findings.length;
      } finally {
        await audit.close();
        await started.close();
      }
    };
    assert.equal([await found('API document'), await found('http://shop.localhost/')], [1, 0]);
  },
);

test('with an administrator to compare with, another check looks', async () => {
  const found = await result({ pages: { '/admin/users': table(accounts) } }, [
    user,
    { ...user, name: 'root', role: 'admin' },
  ]);
  assert.is(found.outcome.kind, 'not-applicable');
});

test.run();
