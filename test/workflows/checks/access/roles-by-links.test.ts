import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { registrationRole } from '../../../../workflows/checks/access/registration-role.check.ts';
import { html, redirect, startSite } from '../../../fixtures/site.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.registration-role by a page that only the role is led to');

type Account = { name: string; password: string; kind: string };

/** An office that lets whoever registers say what they are in a hidden field. @param kindOf what it makes of that */
async function result(
  kindOf: (sent: string) => string,
  writes: 'create' | 'reversible' = 'create',
  kind = '<input type="hidden" name="account_type" value="applicant">',
) {
  const accounts = new Map<string, Account>();
  const open = (account: Account) => {
    const session = randomBytes(12).toString('hex');
    accounts.set(session, account);
    return redirect('/jobs', 303, { 'set-cookie': `sid=${session}; Path=/; HttpOnly` });
  };
  const form = (hidden: string) =>
    `<form method="post">${hidden}<input name="username"><input type="password" name="password"><button>Go</button></form>`;
  const site = await startSite(({ method, path, body, cookies }) => {
    const reader = accounts.get(cookies.sid ?? '');
    const sent = new URLSearchParams(body);
    const [name, password] = [sent.get('username') ?? '', sent.get('password') ?? ''];
    if (path === '/') return html('<a href="/register">Register</a> <a href="/login">Log in</a>');
    if (path === '/people' && reader)
      return reader.kind === 'staff' ? html('<h1>People</h1><p>Ada, born 1988</p>') : html('<h1>Staff only</h1>', 403);
    if (path === '/jobs' && reader)
      return html(`<p>${reader.name}</p>${reader.kind === 'staff' ? '<a href="/people">People</a>' : ''}`);
    if (path === '/jobs' || path === '/people') return redirect('/login');
    if (path !== '/register' && path !== '/login') return undefined;
    if (method !== 'POST') return html(form(path === '/register' ? kind : ''));
    const known = [...accounts.values()].find((each) => each.name === name);
    if (path === '/login') return known?.password === password ? open(known) : html(form(''), 401);
    return known ? html(form(''), 400) : open({ name, password, kind: kindOf(sent.get('account_type') ?? '') });
  });
  accounts.set('first', { name: 'ann', password: 'ann-Pass-7', kind: 'applicant' });
  const login = { path: '/login', username: 'ann', password: 'ann-Pass-7' };
  const identities = [{ name: 'A', login, checkPath: '/jobs', marker: 'ann' }];
  const audit = await openAudit(site.url, { identities, depth: 'deep', writes });
  try {
    const { outcome, findings } = await check(audit, registrationRole);
    return { outcome, places: findings.map(({ location }) => location?.parameter), accounts: accounts.size };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('a hidden field that makes staff of somebody is found, and not where the site says what everybody is', async () => {
  const found = await result((sent) => sent);
  assert.equal(found.places, ['account_type'], found.outcome.reason);
  const patched = await result(() => 'applicant');
  assert.equal(patched.places, [], patched.outcome.reason);
});

test('what the form lets everybody choose is no role of others', async () => {
  const choice = '<select name="account_type"><option>applicant</option><option>staff</option></select>';
  const { places, outcome } = await result((sent) => sent, 'create', choice);
  assert.equal(places, [], outcome.reason);
});

test('no account is opened where none may stay', async () => {
  const { places, accounts } = await result((sent) => sent, 'reversible');
  assert.equal([places, accounts <= 2], [[], true]);
});

test.run();
