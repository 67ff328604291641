import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { forcedBrowsing } from '../../../../workflows/checks/access/forced-browsing.check.ts';
import { type Answer, type Handler, html, json, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('access.forced-browsing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, forcedBrowsing);
  } finally {
    await site.close();
  }
}

const people = ['ann.lee', 'ben.ode', 'cia.ruiz', 'dov.katz'];
const row = (name: string, index: number) =>
  `<tr><td>${name}@northwind.shop</td><td>customer</td><td><a href="/admin/users/${index}/edit">Edit</a></td></tr>`;
const table = `<h1>Users</h1><table><tr><th>E-mail<th>Role<th></tr>${people.map(row).join('')}</table>`;
const orders = `<table><tr><th>No.<th>Customer<th>Last order</tr>${people.map((name) => `<tr><td>7<td>${name}@northwind.shop<td>2026-03-01</tr>`).join('')}</table>`;
const office = `<table><tr><th>Name<th>Position<th>E-mail</tr>${people.map((name) => `<tr><td>${name}<td>Clerk<td>${name}@northwind.shop</tr>`).join('')}</table>`;
const hashes = `<table><tr><th>Name<th>E-mail<th>Password hash</tr>${people.map((name) => `<tr><td>${name}<td>${name}@northwind.shop<td>${createHash('md5').update(name).digest('hex')}</tr>`).join('')}</table>`;
const list = `<ul>${people.map((name) => `<li><b>${name}@northwind.shop</b><form method="post" action="/backoffice/m/${name}"><button>Suspend</button></form></li>`).join('')}</ul>`;
const newUser =
  '<form method="post"><input name="user[email]" type="email"><select name="user[role]"><option value="member">m<option value="admin">a</select><button>Create</button></form>';
const settings =
  '<form method="post"><input name="site_name"><input name="smtp_host"><input name="smtp_password" type="password"><input type="checkbox" name="maintenance_mode"></form>';
const users = people.map((name, id) => ({ id, email: `${name}@northwind.shop`, role: 'customer', last_login: null }));
const home = html('<h1>A shop</h1><a href="/about">About</a>');

/** A site of a home page and these; the rest is not found. */
const site =
  (pages: Record<string, Answer>, start: Answer = home): Handler =>
  ({ path }) =>
    path === '/' ? start : pages[path];

const script = {
  headers: { 'content-type': 'text/javascript' },
  body: 'const routes = ["/", "/intern/backoffice/members"];',
};

for (const [what, [handler, place]] of firstRows(
  Object.entries<[Handler, string]>({
    'a table of accounts at a usual address': [site({ '/admin/users': html(table) }), '/admin/users'],
    'people with hashes of their passwords': [site({ '/admin/users': html(hashes) }), '/admin/users'],
    'a table of customers without anything that manages them': [site({ '/admin': html(orders) }), '/admin'],
    'a list that only a script names': [
      site({ '/app.js': script, '/intern/backoffice/members': html(list) }, html('<script src="/app.js"></script>')),
      '/intern/backoffice/members',
    ],
    'a form for users that robots.txt names': [
      site({
        '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /staff/new' },
        '/staff/new': html(newUser),
      }),
      '/staff/new',
    ],
    'a list of accounts with their roles outside of the administration': [
      site({ '/members': html(table.replaceAll('/admin/users/', '/members/')) }),
      '/members',
    ],
    'a form for users with a box for administrators': [
      site({
        '/users/new': html(
          '<form method="post"><input name="username"><input name="password" type="password"><input type="checkbox" name="is_admin"></form>',
        ),
        '/users': html(newUser),
      }),
      '/users',
    ],
    'settings of the site': [site({ '/admin/settings': html(settings) }), '/admin/settings'],
    'an interface that lists accounts': [site({ '/api/v1/users': json({ data: users }) }), '/api/v1/users'],
  }),
  3,
))
  test(`${what} is found`, async () => {
    const found = await result(handler);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.equal(places(found), [`GET ${place}`]);
    assert.not.ok(stored(found).includes('ann.lee@'), 'no address of a person is stored');
  });

test('accounts weigh more than forms, and pages of one kind are one finding', async () => {
  const found = await result(
    site({ '/admin': html(table), '/admin/users': html(table), '/admin/settings': html(settings) }),
  );
  assert.equal(
    found.findings.map(({ severity, locations }) => [severity, locations?.length]).toSorted(),
    [
      [Severity.MEDIUM, 1],
      [Severity.HIGH, 2],
    ].toSorted(),
  );
});

const login =
  '<form method="post"><input name="email"><input name="password" type="password"><button>Sign in</button></form>';
for (const [what, handler] of firstRows(
  Object.entries<Handler>({
    'a login in its place': site(
      Object.fromEntries(['/admin', '/admin/users', '/staff'].map((path) => [path, html(login)])),
    ),
    'a redirect to the login': ({ path }) =>
      path === '/' ? home : /admin|users/.test(path) ? redirect('/login') : undefined,
    'a page that refuses with the same content': ({ path }) => (path === '/admin/users' ? html(table, 403) : home),
    'a page of users that everybody may see': site({
      '/users': html(`<ul>${people.map((name) => `<li><a href="/users/${name}">${name}</a></li>`).join('')}</ul>`),
    }),
    'a team with its mail addresses': site({
      '/staff': html(
        `<table>${people.map((name) => `<tr><td>${name}</td><td><a href="mailto:${name}@northwind.shop">${name}@northwind.shop</a></td></tr>`).join('')}</table>`,
      ),
    }),
    'an office with its people, at an address of administration': site({ '/admin': html(office) }),
    'orders of a visitor': site({ '/orders': html(orders) }),
    'a registration': site({
      '/members': html(
        '<form method="post"><input name="email"><select name="role"><option value="buyer">b<option value="seller">s</select></form>',
      ),
    }),
    'a newsletter whose groups can be chosen': site({
      '/members': html(
        '<form method="post"><input name="email"><input type="checkbox" name="groups[]" value="news"><input type="checkbox" name="groups[]" value="offers"></form>',
      ),
    }),
    'a contact form with a role in the company': site({
      '/members': html(
        '<form method="post"><input name="email"><textarea name="message"></textarea><select name="role"><option>Student</option><option>Staff</option></select></form>',
      ),
    }),
    'senders that can be blocked': site({
      '/users': html(
        `<ul>${people.map((name) => `<li>${name}@northwind.shop <button>Block</button></li>`).join('')}</ul>`,
      ),
    }),
    'settings of a visitor': site({
      '/settings': html('<form method="post"><select name="timezone"></select><input name="theme"></form>'),
    }),
    'an interface of public profiles': site({ '/api/users': json(people.map((name) => ({ name, status: 'active' }))) }),
    'a catch-all site whose every page has such a table': () => html(table),
    'an application that shows its shell everywhere': () =>
      html('<div id="app"></div><script src="/main.js"></script>'),
    'an echo of the address': ({ target }) => html(`<p>${target} ${'ann@northwind.shop '.repeat(4)}</p>`),
  }),
  6,
))
  test(`${what} is clean`, async () => {
    const { outcome } = await result(handler);
    assert.is(outcome.kind, 'clean', outcome.reason);
  });

test('a page nested without end is reported as cut, and keeps the check from no other page', async () => {
  const endless = html(`<table><tr><td>${'<div>'.repeat(50_000)}a@b.shop</table>`);
  const { outcome } = await result(site({ '/admin': endless, '/admin/users': html(table) }));
  assert.is(outcome.kind, 'found', outcome.reason);
  assert.equal(
    outcome.omitted.map(({ code, count }) => [code, count]),
    [['page_cut', 1]],
  );
});

further(test)('usual addresses for which the named ones leave no budget are a limit and no gap', async () => {
  const names = Array.from(
    { length: 45 },
    (_, index) => `"/backoffice/${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}x"`,
  );
  const { outcome } = await result(
    site({ '/app.js': { ...script, body: names.join() } }, html('<script src="/app.js"></script>')),
  );
  assert.is(outcome.kind, 'clean', outcome.reason);
  assert.equal(
    outcome.omitted.map(({ code }) => code),
    ['guessed'],
  );
});

test('nothing is asked for that could act', async () => {
  const running = await startSite(
    site(
      { '/app.js': { ...script, body: '"/admin/users/delete" "/admin/reset" "/admin/export"' } },
      html('<script src="/app.js"></script>'),
    ),
  );
  try {
    await runOn(running.url, forcedBrowsing);
    assert.not.ok(running.requests.some((line) => /delete|reset|^(?:POST|PUT|DELETE)/.test(line)));
    assert.ok(running.requests.length < 90);
  } finally {
    await running.close();
  }
});

test.run();
