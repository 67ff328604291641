import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { massAssignment } from '../../../../workflows/checks/access/mass-assignment.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.mass-assignment, by pages');

const session = 'session-of-lena-5c1d';

type Account = Record<string, string>;
type Design = {
  start?: Account;
  /** Names of fields that a change takes. */
  takes(name: string): boolean;
  page?(account: Account): string;
  form?(account: Account): string;
};

const cityForm = ({ city = '' }: Account) =>
  `<form method="post" action="/profile"><input name="city" value="${city}"><button>Save</button></form>`;
const rolePage = ({ role = '' }: Account) => `<dl><dt>Role</dt><dd>${role}</dd></dl>`;

/** A site with one user, whose profile is a page; `posts` are the bodies of all that was sent. */
function site({ start = { city: 'Bonn', role: 'user' }, takes, page = rolePage, form = cityForm }: Design) {
  const account = { ...start };
  const posts: string[] = [];
  const handler: Handler = ({ path, method, cookies, body }) => {
    if (path === '/') return html('<h1>Planner</h1><a href="/profile">Profile</a>');
    if (!['/profile', '/contact'].includes(path)) return undefined;
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    if (method === 'POST') {
      posts.push(body);
      for (const [name, value] of new URLSearchParams(body))
        if (takes(name)) account[name.replace(/^user\[(\w+)\]$/, '$1')] = value;
      return { status: 302, headers: { location: '/profile' } };
    }
    return html(`<h1>Profile of lena</h1>${page(account)}${form(account)}`);
  };
  return { handler, account, posts };
}

async function result(design: Design, writes: 'create' | 'reversible' = 'reversible', name = 'A') {
  const { handler, account, posts } = site(design);
  const running = await startSite(handler);
  const identity = { name, cookies: { sid: session }, checkPath: '/profile', marker: 'lena' };
  const audit = await openAudit(running.url, { identities: [identity], startPaths: ['/profile'], writes });
  try {
    for (const each of Object.values(audit.context.identities)) each.userName = 'lena@example.com';
    const found = await check(audit, massAssignment);
    return { found, account, posts, writes: audit.writes.length, undone: audit.undone.length };
  } finally {
    await audit.close();
    await running.close();
  }
}

const bracketed = ({ city = '' }: Account) =>
  `<form method="post" action="/profile"><input name="user[city]" value="${city}"><button>Save</button></form>`;

for (const [what, design] of firstRows(
  [
    ['a form', { takes: () => true }],
    ['fields in brackets', { takes: () => true, form: bracketed }],
    [
      'a form below the kind of the account',
      { takes: () => true, page: ({ role = '' }) => `<dl><dt>Kind of account</dt><dd>${role}</dd></dl>` },
    ],
    ['a form below a line of text', { takes: () => true, page: ({ role = '' }) => `<p>Your role: ${role}</p>` }],
  ] satisfies [string, Design][],
  1,
))
  test(`a role that ${what} takes along is found, announced and put back`, async () => {
    const { found, account, writes, undone } = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal([account.role, account.city], ['user', 'Bonn']);
    assert.ok(writes > 0);
    assert.is(undone, writes);
  });

test('on a test system a form that shows a mail address is sent with that as it is', async () => {
  const form = ({ email = '', city = '' }: Account) =>
    `<form method="post" action="/profile"><input type="email" name="email" value="${email}"><input name="city" value="${city}"></form>`;
  const start = { email: 'lena@example.com', city: 'Bonn', role: 'user' };
  const { found, account, posts } = await result({ start, form, takes: () => true }, 'create');
  assert.equal([found.findings.length, account], [1, start], found.outcome.reason);
  assert.ok(posts.every((body) => body.includes('lena%40example.com')));
});

const inBrackets = ({ role = '' }: Account) => `<p>lena@example.com (${role})</p>`;
for (const [what, name, design, expected] of [
  ['a new account of the audit has', 'registered_1', { takes: () => true }, 1],
  ['a new account has, and no form takes along,', 'registered_1', { takes: (field: string) => field === 'city' }, 0],
  ['a user of the site has', 'A', { takes: () => true }, 0],
] as const)
  test(`a role in brackets behind the name that ${what} is ${expected ? 'found' : 'no finding'}`, async () => {
    const start = { city: '', role: 'tenant' };
    const { found, account } = await result({ start, page: inBrackets, ...design }, 'create', name);
    assert.equal([found.findings.length, account.role], [expected, 'tenant'], found.outcome.reason);
  });

test('a form that takes its own fields alone is clean', async () => {
  const { found, account } = await result({ takes: (name) => name === 'city' });
  assert.equal([found.outcome.kind, account.role], ['clean', 'user'], found.outcome.reason);
});

test('a role that the page repeats once and does not keep is clean', async () => {
  let last = '';
  const { found } = await result({
    takes: (name) => {
      last = name;
      return name === 'city';
    },
    page: (account) => {
      const shown = last === 'role' ? 'admin' : account.role;
      last = '';
      return rolePage({ ...account, role: shown ?? '' });
    },
  });
  assert.is(found.findings.length, 0, found.outcome.reason);
});

const message =
  '<form method="post" action="/contact"><input name="name" value="lena"><textarea name="text"></textarea></form>';
for (const [what, design] of [
  ['what somebody works as', { start: { city: 'Bonn', role: 'Designer' } }],
  ['a form that sends something', { form: () => message }],
  ['a form with a mail address', { form: () => cityForm({ city: 'Bonn' }).replace('city', 'email') }],
  [
    'a form that offers the role',
    { form: () => cityForm({ city: 'Bonn' }).replace('<input', '<input name="role" value="user"><input') },
  ],
] satisfies [string, Partial<Design>][])
  test(`${what} is left alone`, async () => {
    const { found, posts } = await result({ takes: () => true, ...design });
    assert.equal([found.findings.length, posts], [0, []], found.outcome.reason);
  });

test.run();
