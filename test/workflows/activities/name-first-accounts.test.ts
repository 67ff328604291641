import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameFirstAccounts } from '../../../workflows/activities/name-first-accounts.ts';
import { hasLogin } from '../../../workflows/checks/sessions/site-login.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('accounts of logins that ask for the name first');

type Parts = { note?: string; takes?: Record<string, string>; asks?: string; called?: string };

/** The name is asked for on one page, and the password on the next, if somebody has the name. */
function office({ note = '', takes = {}, asks = '<button>Continue</button>', called = 'username' }: Parts) {
  const named = new Map<string, string>();
  const entered = new Map<string, string>();
  const form = `${note}<form method="post" action="/"><input name="${called}">${asks}</form>`;
  return startSite(({ method, path, body, cookies }) => {
    const fields = new URLSearchParams(body);
    const sid = cookies.sid ?? '';
    if (path === '/' && method === 'POST') {
      const name = fields.get(called) ?? '';
      if (!Object.hasOwn(takes, name)) return html(`<p>Nobody has this name.</p>${form}`);
      const id = randomBytes(9).toString('hex');
      named.set(id, name);
      return { status: 303, headers: { location: '/password', 'set-cookie': `sid=${id}; Path=/` }, body: '' };
    }
    if (path === '/') return html(form);
    const name = named.get(sid);
    if (path === '/password' && name === undefined) return redirect('/');
    if (path === '/password' && method === 'POST') {
      if (takes[name ?? ''] !== fields.get('password')) return html('<p>Wrong password.</p>');
      entered.set(sid, name ?? '');
      return redirect('/desk');
    }
    if (path === '/password')
      return html('<form method="post"><input type="password" name="password"><button>Log in</button></form>');
    if (path !== '/desk') return undefined;
    const user = entered.get(sid);
    return user ? html(`<h1>Desk of ${user}</h1><a href="/logout">Log out</a>`) : redirect('/');
  });
}

async function accountsOf(parts: Parts) {
  const site = await office(parts);
  const audit = await openAudit(site.url);
  try {
    const found = await nameFirstAccounts({ ...audit.context, http: audit.licensed('credentials') });
    const names = found.map(({ login: { kind } }) => (kind.case === 'form' ? kind.value.username : ''));
    return { names, hasLogin: hasLogin(audit.context.surface), requests: audit.requests() };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('two accounts that the page shows are taken, each proven against a wrong password', async () => {
  const takes = { kim: 'kim-2031', lea: 'lea-2032' };
  const { names, hasLogin } = await accountsOf({ note: '<!-- test accounts: kim:kim-2031, lea:lea-2032 -->', takes });
  assert.equal([names, hasLogin], [['kim', 'lea'], true]);
});

test('the name has a word of its own where the title says that somebody signs in', async () => {
  const parts = { takes: { kim: 'kim-2031' }, called: 'rower' };
  const note = 'Use the rower name <b>kim</b> and the PIN <b>kim-2031</b>.';
  assert.equal((await accountsOf({ ...parts, note: `<title>Sign in – Rowing</title>${note}` })).names, ['kim']);
  assert.equal((await accountsOf({ ...parts, note: `<title>Rowing</title>${note}` })).names, []);
});

test('the account that everybody tries first is taken', async () => {
  assert.equal((await accountsOf({ takes: { test: 'test' } })).names, ['test']);
});

test('where no account is shown and none of the usual ones is taken, there is none', async () => {
  assert.equal((await accountsOf({ note: '<!-- kim:kim-2031 -->', takes: { kim: 'other' } })).names, []);
});

test('a form that sends a name elsewhere is no login', async () => {
  const { names, hasLogin } = await accountsOf({ asks: '<button>Subscribe</button>', takes: { test: 'test' } });
  assert.equal([names, hasLogin], [[], false]);
});

test.run();
