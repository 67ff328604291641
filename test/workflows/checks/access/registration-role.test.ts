import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { registrationRole } from '../../../../workflows/checks/access/registration-role.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('access.registration-role');

type Account = { username: string; password: string; email: string; admin: boolean };
type Sent = Record<string, unknown>;

type Design = {
  /** What of a registration is written to the account. */
  register(sent: Sent): Sent;
  /** The role is reported, and where. */
  profile(account: Account): unknown;
  /** Registered by a form with a token, and logged in by a cookie. */
  isForm?: boolean;
  /** The profile is this page. */
  page?(account: Account): string;
  /** Of a site with an administration, which refuses others. */
  hiddenField?: string;
  /** The login takes mail addresses, in a field for user names. */
  isByMail?: boolean;
};

const operation = (properties: Sent) => ({
  summary: 'Register a user',
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  responses: { 200: { description: 'ok' } },
});
const text = (example: string) => ({ type: 'string', example });

function site(design: Design) {
  const accounts: Account[] = [{ username: 'ann', password: 'ann-Pass-7', email: 'ann@north.example', admin: false }];
  const sessions = new Map<string, Account>();
  const tokens = new Set<string>();
  const open = (sent: Sent) => {
    const { username = '', password = '', email = '', ...more } = design.register(sent);
    accounts.push({
      username: String(username),
      password: String(password),
      email: String(email),
      admin: ['true', true].includes(more.admin as never) || more.role === 'admin',
    });
  };
  const logIn = (sent: Sent): string | undefined => {
    const name = design.isByMail ? 'email' : 'username';
    const account = accounts.find((each) => each[name] === sent.username && each.password === sent.password);
    if (!account) return undefined;
    const session = `session-of-${account.username}-${sessions.size}-5f1c`;
    sessions.set(session, account);
    return session;
  };
  const handler: Handler = ({ method, path, body, headers, cookies }) => {
    const reader = sessions.get(cookies.sid ?? headers.authorization?.replace(/^Bearer /, '') ?? '');
    if (path === '/')
      return html(
        design.isForm
          ? '<a href="/register">Register</a> <a href="/login">Log in</a> <a href="/me">Me</a>' +
              (design.hiddenField ? '<a href="/admin">Administration</a>' : '')
          : '<a href="/openapi.json">API</a>',
      );
    if (path === '/openapi.json' && !design.isForm)
      return json({
        openapi: '3.0.1',
        info: { title: 'Accounts', version: '1' },
        paths: {
          '/me': { get: { responses: { 200: { description: 'ok' } } } },
          '/users/register': {
            post: operation({ username: text('name9'), password: text('pass9'), email: text('user9@mail.example') }),
          },
          '/users/login': { post: operation({ username: text('name9'), password: text('pass9') }) },
        },
      });
    if (path === '/admin' && design.hiddenField)
      return reader?.admin ? html('<h1>All members</h1>') : html('<h1>Forbidden</h1>', 403);
    if (path === '/me' && reader && design.page) return html(design.page(reader));
    if (path === '/me') return reader ? json(design.profile(reader)) : json({ error: 'no' }, 401);
    if (design.isForm && method === 'GET' && (path === '/register' || path === '/login')) {
      const token = `t${tokens.size}a9c4e7b2f6d8`;
      if (path === '/register') tokens.add(token);
      const fields =
        path === '/register'
          ? `<input type="hidden" name="csrf" value="${token}"><input type="email" name="email">${design.hiddenField ?? ''}`
          : '';
      return html(
        `<form method="post">${fields}<input name="username"><input type="password" name="password"><button>Go</button></form>`,
      );
    }
    if (method !== 'POST') return undefined;
    const sent: Sent = design.isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body || '{}');
    if (/register$/.test(path)) {
      if (design.isForm && !tokens.delete(String(sent.csrf))) return html('no', 403);
      open(sent);
      return json({ status: 'success' });
    }
    const session = /login$/.test(path) ? logIn(sent) : undefined;
    if (session === undefined) return json({ status: 'fail' }, 401);
    return design.isForm
      ? { status: 303, headers: { location: '/me', 'set-cookie': `sid=${session}; Path=/` } }
      : json({ auth_token: session });
  };
  return { handler, accounts };
}

async function result(design: Design, writes: 'reversible' | 'create' = 'create') {
  const { handler, accounts } = site(design);
  const running = await startSite(handler);
  const audit = await openAudit(running.url, {
    depth: 'deep',
    writes,
    identities: [
      {
        name: 'A',
        checkPath: '/me',
        marker: 'ann',
        login: {
          path: design.isForm ? '/login' : '/users/login',
          username: design.isByMail ? 'ann@north.example' : 'ann',
          password: 'ann-Pass-7',
          ...(design.isForm ? {} : { json: { tokenPath: 'auth_token' } }),
        },
      },
    ],
  });
  try {
    const before = accounts.length;
    const found = await check(audit, registrationRole);
    return { ...found, opened: accounts.slice(before), left: audit.lasting };
  } finally {
    await audit.close();
    await running.close();
  }
}

const wrapped = ({ password: _password, ...shown }: Account) => ({ status: 'success', data: shown });
const vulnerable: Design = { register: (sent) => sent, profile: wrapped };
const only = ({ username, password, email }: Sent) => ({ username, password, email });

for (const [how, design] of firstRows(
  Object.entries({
    'JSON that a document describes': vulnerable,
    'a form with a token': { ...vulnerable, isForm: true, profile: (account: Account) => wrapped(account).data },
  }),
  1,
)) {
  further(test)(`a role that is sent along with ${how} is found, and each account that stays is recorded`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.location?.parameter, 'admin');
    assert.equal(
      found.opened.map(({ admin }) => admin),
      [true, false, true, false],
    );
    assert.is(found.left.length, found.opened.length);
    assert.not.match(stored(found), /Aa1-[a-z]/);
    assert.not.match(JSON.stringify(found.left), /Aa1-[a-z]/);
  });

  further(test)(`a registration by ${how} that takes its own fields alone is clean`, async () => {
    const found = await result({ ...design, register: only });
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)(
  'accounts that log in by their mail addresses, in a field for user names, are tried, and profiles in two objects are read',
  async () => {
    const profile = (account: Account) => ({ data: { me: wrapped(account).data } });
    const found = await result({ ...vulnerable, profile, isByMail: true });
    const mended = await result({ profile, isByMail: true, register: only });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal([mended.outcome.kind, mended.findings.length], ['clean', 0], mended.outcome.reason);
  },
);

further(test)('accounts that are administrators without asking for it prove nothing', async () => {
  const found = await result({ ...vulnerable, register: (sent) => ({ ...sent, admin: true }) });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('a profile that repeats what was registered, as a text, is no role', async () => {
  const found = await result({ register: only, profile: ({ username }) => ({ username, note: 'admin true' }) });
  assert.equal([found.outcome.kind, found.opened.length], ['not-applicable', 0], found.outcome.reason);
});

further(test)('nobody is registered where the scope does not let anything stay', async () => {
  const found = await result(vulnerable, 'reversible');
  assert.equal([found.outcome.kind, found.opened.length], ['not-run', 0], found.outcome.reason);
});

const rolePage = ({ username, admin }: Account) =>
  `<p>Signed in as ${username} (role: ${admin ? 'admin' : 'user'})</p>`;

test('a role that a page shows is found, and a registration that takes its own fields alone is clean', async () => {
  const design = { ...vulnerable, isForm: true, page: rolePage };
  const [found, mended] = [await result(design), await result({ ...design, register: only })];
  assert.equal([found.outcome.kind, found.findings[0]?.location?.parameter], ['found', 'role'], found.outcome.reason);
  assert.equal([mended.outcome.kind, mended.findings.length], ['clean', 0], mended.outcome.reason);
});

further(test)(
  'a role by a name of the site’s own is found, but not where people are asked what they work as',
  async () => {
    const singer = ({ username, admin }: Account) =>
      rolePage({ username, admin } as Account).replace('user)', 'singer)');
    const design = { ...vulnerable, isForm: true, page: singer };
    const withField = (field: string) => ({
      ...design,
      page: (account: Account) => `${singer(account)}<form>${field}</form>`,
    });
    const [found, other] = [
      await result(withField('<input type="hidden" name="role" value="singer">')),
      await result(withField('<select name="role"><option>singer</select>')),
    ];
    assert.equal([found.outcome.kind, found.findings[0]?.location?.parameter], ['found', 'role'], found.outcome.reason);
    assert.is(other.findings.length, 0, other.outcome.reason);
  },
);

further(test)(
  'a role by the name of a hidden field of the registration is found where an administration refuses users',
  async () => {
    const hiddenField = '<input type="hidden" name="user_type" value="client">';
    const page = ({ username }: Account) => `<p>Signed in as ${username}</p>`;
    const design = { ...vulnerable, isForm: true, page, hiddenField };
    const [found, mended] = [
      await result({ ...design, register: (sent) => ({ ...only(sent), admin: sent.user_type === 'admin' }) }),
      await result({ ...design, register: only }),
    ];
    assert.match(found.findings[0]?.location?.parameter ?? found.outcome.reason, /^user_type, role/);
    assert.equal([mended.outcome.kind, mended.findings.length], ['clean', 0], mended.outcome.reason);
  },
);

test.run();
