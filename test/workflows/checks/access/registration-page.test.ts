import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { registrationRole } from '../../../../workflows/checks/access/registration-role.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.registration-role, shown by a page');

type Account = Record<string, string>;
const isAdmin = ({ is_admin = '', account_type = '' }: Account): boolean =>
  is_admin === 'true' || account_type === 'admin';
const form = (fields: string) => html(`<form method="post">${fields}<button>Go</button></form>`);
const credentials = '<input name="username"><input type="password" name="password">';
const accountsPage = '<h1>Members</h1><p>Ina Holm has berth 14, Ole Brandt berth 3</p>';

type Design = {
  register?(sent: Account): Account;
  /** Fields that the form has besides. */
  besides?: string;
  /** Where the administration is. */
  place?: string;
  /** What the administration shows. */
  admin?(account: Account): ReturnType<typeof html>;
};

/** No profile of this site is read by programs, and none shows a role. */
function site({ register = (sent) => sent, besides = '', place = '/admin', admin = guarded }: Design) {
  const accounts: Account[] = [{ username: 'ann', password: 'ann-Pass-7' }];
  const handler: Handler = ({ method, path, body, cookies }) => {
    const reader = accounts.find((_account, index) => cookies.sid === `s${index}e81c07`);
    const sent = Object.fromEntries(new URLSearchParams(body));
    if (path === '/') return html('<a href="/register">Register</a> <a href="/login">Log in</a>');
    if (path === '/register' && method === 'POST') {
      accounts.push(register(sent));
      return { status: 303, headers: { location: '/login' } };
    }
    if (path === '/register') return form(`${credentials}${besides}<input type="email" name="email">`);
    if (path === '/login' && method === 'POST') {
      const found = accounts.findIndex((each) => each.username === sent.username && each.password === sent.password);
      return found < 0
        ? html('Wrong', 401)
        : { status: 303, headers: { location: '/berth', 'set-cookie': `sid=s${found}e81c07; Path=/` } };
    }
    if (path === '/login') return form(credentials);
    if (path === '/berth')
      return reader ? html(`<p>Berth of ${reader.username}</p><a href="${place}">Harbour master</a>`) : html('no', 401);
    if (path === place) return reader ? admin(reader) : html('no', 401);
    return undefined;
  };
  return { handler, accounts };
}

const guarded = (account: Account) => (isAdmin(account) ? html(accountsPage) : html('<p>Forbidden</p>', 403));

async function result(design: Design) {
  const { handler, accounts } = site(design);
  const running = await startSite(handler);
  const login = { path: '/login', username: 'ann', password: 'ann-Pass-7' };
  const identity = { name: 'A', checkPath: '/berth', marker: 'ann', login };
  const audit = await openAudit(running.url, {
    ...{ depth: 'deep', writes: 'create', identities: [identity], startsAtCheckPages: true },
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

test('a registration whose further fields open the administration is found by the page', async () => {
  const found = await result({});
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  assert.equal(found.opened.map(isAdmin), [true, false, true, false]);
  assert.is(found.left.length, found.opened.length);
});

further(test)('the kind of account in a hidden field is raised, and a page by any name shows it', async () => {
  const found = await result({
    besides: '<input type="hidden" name="account_type" value="berth-holder">',
    register: ({ username = '', password = '', account_type = '' }) => ({ username, password, account_type }),
    place: '/harbour-office',
  });
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

const clean: Record<string, Design> = {
  'takes its own fields alone': { register: ({ username = '', password = '' }) => ({ username, password }) },
  'keeps a role until somebody agrees': {
    admin: (account) =>
      isAdmin(account) ? html('<p>Your request is pending approval by the office.</p>') : html('<p>Forbidden</p>', 403),
  },
};

for (const [what, design] of Object.entries(clean))
  test(`a registration that ${what} is clean, and one account stays`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    assert.is(found.opened.length, 1);
  });

further(test)('nobody is registered where the administration is open to all users', async () => {
  const found = await result({ admin: () => html(accountsPage) });
  assert.equal([found.outcome.kind, found.opened.length], ['not-applicable', 0], found.outcome.reason);
});

test.run();
