import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { enteredAdministration } from '../../../workflows/chains/entered-administration.step.ts';
import { leakedLogin } from '../../../workflows/chains/leaked-login.step.ts';
import { defaultCredentials } from '../../../workflows/checks/auth/default-credentials.check.ts';
import { sqlLoginBypass } from '../../../workflows/checks/auth/sql-login-bypass.check.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from a login without an account to the administration');

type Club = {
  /** The statement holds the values as text. */
  isBuilt?: boolean;
  password?: string;
  settings?: string;
  /** Whom the administration is shown. */
  opensTo?: 'admins' | 'members' | 'everybody';
};

/** Members of a club in SQLite; the first one runs it. */
function club({ isBuilt = false, password = 'mast-9 & keel', settings, opensTo = 'admins' }: Club) {
  const store = new DatabaseSync(':memory:');
  store.exec('CREATE TABLE members (name TEXT, word TEXT, mail TEXT, role TEXT)');
  const add = store.prepare('INSERT INTO members VALUES (?, ?, ?, ?)');
  add.run('admin', password, 'ada@club.example', opensTo === 'members' ? 'member' : 'admin');
  for (const name of ['kim', 'lou', 'max']) add.run(name, `q-77-${name}`, `${name}@club.example`, 'member');
  const find = (name: string, word: string) =>
    isBuilt
      ? store.prepare(`SELECT name, role FROM members WHERE name = '${name}' AND word = '${word}'`).get()
      : store.prepare('SELECT name, role FROM members WHERE name = ? AND word = ?').get(name, word);
  const sessions = new Map<string, string>();
  const form =
    '<form method="post" action="/login"><input name="who"><input type="password" name="word"><button>Log in</button></form>';
  const members = () =>
    store
      .prepare('SELECT name, mail, role FROM members')
      .all()
      .map(
        ({ name, mail, role }) =>
          `<tr><td>${name}</td><td>${mail}</td><td>${role}</td><td><a href="/admin/edit?name=${name}">Edit</a></td></tr>`,
      );
  return startSite(({ method, path, body, cookies }) => {
    const role = sessions.get(cookies.sid ?? '');
    if (path === '/') return html('<h1>Club</h1><a href="/login">Log in</a>');
    if (path === '/.env' && settings) return { headers: { 'content-type': 'text/plain' }, body: settings };
    if (path === '/desk') return role ? html('<h1>Desk</h1><a href="/logout">Log out</a>') : redirect('/login');
    if (path === '/admin/users')
      return opensTo === 'everybody' || role === 'admin'
        ? html(`<h1>Members</h1><table><tr><th>Name<th>Mail<th>Role<th></tr>${members().join('')}</table>`)
        : redirect('/login');
    if (path !== '/login') return undefined;
    if (method === 'GET') return html(form);
    const fields = new URLSearchParams(body);
    let found: Record<string, unknown> | undefined;
    try {
      found = find(fields.get('who') ?? '', fields.get('word') ?? '');
    } catch {
      return { status: 500, body: 'error' };
    }
    if (!found) return html(`<p>Wrong.</p>${form}`);
    const id = randomBytes(9).toString('hex');
    sessions.set(id, String(found.role));
    return { status: 303, headers: { location: '/desk', 'set-cookie': `sid=${id}; Path=/; HttpOnly` }, body: '' };
  });
}

async function chainsFor(parts: Club) {
  const site = await club(parts);
  const checks = [sqlLoginBypass, defaultCredentials, environmentFile];
  try {
    const { held } = await chainsOn(site.url, checks, [leakedLogin, enteredAdministration], {});
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

test('a condition in the login opens the administration', async () => {
  assert.equal(await chainsFor({ isBuilt: true }), [
    'session(admin) auth.sql-login-bypass chains.entered-administration',
  ]);
});

further(test)('a first password opens the administration', async () => {
  assert.equal(await chainsFor({ password: 'admin' }), [
    'session(admin) auth.default-credentials chains.entered-administration',
  ]);
});

further(test)('a password in a file of settings opens the administration', async () => {
  const settings = 'APP_ENV=production\nDB_HOST=10.0.0.7\nADMIN_USER=admin\nADMIN_PASSWORD="mast-9 & keel"\n';
  assert.equal(await chainsFor({ settings }), [
    'account takeover exposure.environment-file chains.leaked-login',
    'session(admin) exposure.environment-file chains.leaked-login chains.entered-administration',
  ]);
});

test('a mended login, an account without rights and an open administration are no chain', async () => {
  assert.equal(await chainsFor({}), []);
  assert.equal(await chainsFor({ isBuilt: true, opensTo: 'members' }), []);
  assert.equal(await chainsFor({ isBuilt: true, opensTo: 'everybody' }), []);
});

test.run();
