import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leakedLogin } from '../../../workflows/chains/leaked-login.step.ts';
import { dataExposure } from '../../../workflows/checks/access/data-exposure.check.ts';
import { backupFile } from '../../../workflows/checks/exposure/backup-file.check.ts';
import { directoryListing } from '../../../workflows/checks/exposure/directory-listing.check.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import { gitRepository } from '../../../workflows/checks/exposure/git-repository.check.ts';
import { makeRepository } from '../../fixtures/repository.ts';
import { type Answer, html, json, redirect, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from an exposed file to an account');

type Office = {
  /** What it serves besides its pages. */
  file(path: string): Answer | undefined;
  account?: [name: string, password: string];
  /** On its first page. */
  note?: string;
};

/** People of an office log in and see their desk. */
function office({ file, note = '', account: [name, password] = ['kim', 'rope & tide 77+'] }: Office) {
  const sessions = new Set<string>();
  const form =
    '<form method="post" action="/login"><input name="who"><input type="password" name="word"><button>Log in</button></form>';
  return startSite(({ method, path, body, cookies }) => {
    if (path === '/') return html(`<h1>Office</h1><a href="/login">Log in</a>${note}`);
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
    const { held } = await chainsOn(
      site.url,
      [environmentFile, backupFile, gitRepository, directoryListing, dataExposure],
      [leakedLogin],
      {},
    );
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

test('a digest of a common password in a file that a folder lists opens the account', async () => {
  const list =
    '<html><head><title>Index of /data/</title></head><body><h1>Index of /data/</h1><ul><li><a href="staff.csv">staff.csv</a></li></ul></body></html>';
  const staff = (digest: string) => `login,password_md5\nkim,${digest}\n`;
  const file = (digest: string) => (path: string) =>
    path === '/data/' ? html(list) : path === '/data/staff.csv' ? text(staff(digest)) : undefined;
  const linked = { note: '<a href="/data/staff.csv">Staff</a>', account: ['kim', 'Sunshine1'] as [string, string] };
  const digest = createHash('md5').update('Sunshine1').digest('hex');
  assert.equal(await chainsFor({ ...linked, file: file(digest) }), [
    'account takeover exposure.directory-listing chains.leaked-login',
  ]);
  const salted = createHash('md5').update('x7Sunshine1').digest('hex');
  assert.equal(await chainsFor({ ...linked, file: file(salted) }), []);
});

test('an answer with digests of common passwords opens an account', async () => {
  const digest = (word: string) => createHash('sha1').update(word).digest('hex');
  const people = (words: readonly string[]) =>
    json(words.map((word, at) => ({ id: at, username: ['kim', 'lea'][at], password_hash: digest(word) })));
  const note = '<script>fetch("/api/staff")</script>';
  const parts = { note, account: ['kim', 'Dragon123'] as [string, string] };
  const file = (words: readonly string[]) => (path: string) => (path === '/api/staff' ? people(words) : undefined);
  assert.equal(await chainsFor({ ...parts, file: file(['Dragon123', 'q#8Tz']) }), [
    'account takeover access.data-exposure chains.leaked-login',
  ]);
  assert.equal(await chainsFor({ ...parts, file: file(['q#8Tz', 'z#9Qp']) }), []);
});

test('either link mended breaks the chain', async () => {
  assert.equal(await chainsFor({ file: () => undefined }), [], 'the file is not served');
  assert.equal(await chainsFor({ file: only('/.env', env), account: ['kim', 'changed-9921'] }), [], 'changed');
});

test.run();
