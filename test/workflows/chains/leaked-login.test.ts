import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leakedLogin } from '../../../workflows/chains/leaked-login.step.ts';
import { backupFile } from '../../../workflows/checks/exposure/backup-file.check.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import { gitRepository } from '../../../workflows/checks/exposure/git-repository.check.ts';
import { makeRepository } from '../../fixtures/repository.ts';
import { type Answer, html, redirect, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from an exposed file to an account');

type Office = {
  /** What it serves besides its pages. */
  file(path: string): Answer | undefined;
  account?: [name: string, password: string];
};

/** People of an office log in and see their desk. */
function office({ file, account: [name, password] = ['kim', 'rope & tide 77+'] }: Office) {
  const sessions = new Set<string>();
  const form =
    '<form method="post" action="/login"><input name="who"><input type="password" name="word"><button>Log in</button></form>';
  return startSite(({ method, path, body, cookies }) => {
    if (path === '/') return html('<h1>Office</h1><a href="/login">Log in</a>');
    if (path === '/desk')
      return sessions.has(cookies.sid ?? '') ? html('<h1>Desk</h1><a href="/logout">Log out</a>') : redirect('/login');
    if (path === '/login' && method === 'GET') return html(form);
    if (path !== '/login') return file(path);
    const fields = new URLSearchParams(body);
    if (fields.get('who') !== name || fields.get('word') !== password) return html(`<p>Wrong.</p>${form}`);
    const id = randomBytes(9).toString('hex');
    sessions.add(id);
    return { status: 303, headers: { location: '/desk', 'set-cookie': `sid=${id}; Path=/; HttpOnly` }, body: '' };
  });
}

const text = (content: string): Answer => ({ headers: { 'content-type': 'text/plain' }, body: content });
const only = (at: string, content: string) => (path: string) => (path === at ? text(content) : undefined);
const env = 'APP_ENV=production\nDB_HOST=10.0.0.7\nADMIN_USER=kim\nADMIN_PASSWORD="rope & tide 77+"\n';

async function chainsFor(parts: Office) {
  const site = await office(parts);
  try {
    const { held } = await chainsOn(site.url, [environmentFile, backupFile, gitRepository], [leakedLogin], {});
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

test('a password in a file of settings opens the account', async () => {
  assert.equal(await chainsFor({ file: only('/.env', env) }), [
    'account takeover exposure.environment-file chains.leaked-login',
  ]);
});

further(test)('a password in a copy of the source opens the account', async () => {
  const source = "<?php\n$user = 'kim';\n$password = 'kim-2031';\n";
  assert.equal(await chainsFor({ file: only('/config.php.bak', source), account: ['kim', 'kim-2031'] }), [
    'account takeover exposure.backup-file chains.leaked-login',
  ]);
});

further(test)('a password in a repository opens the account', async () => {
  const repository = await makeRepository([{ 'config.py': 'USERS = {"kim": "kim-2031"}\n' }]);
  try {
    const file = (path: string) => (path.startsWith('/.git/') ? repository.serve(path.slice(6)) : undefined);
    assert.equal(await chainsFor({ file, account: ['kim', 'kim-2031'] }), [
      'account takeover exposure.git-repository chains.leaked-login',
    ]);
  } finally {
    await repository.remove();
  }
});

test('either link mended breaks the chain', async () => {
  assert.equal(await chainsFor({ file: () => undefined }), [], 'the file is not served');
  assert.equal(await chainsFor({ file: only('/.env', env), account: ['kim', 'changed-9921'] }), [], 'changed');
});

test.run();
