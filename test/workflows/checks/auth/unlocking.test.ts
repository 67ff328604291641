import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultCredentials } from '../../../../workflows/checks/auth/default-credentials.check.ts';
import { looseLogin } from '../../../../workflows/checks/auth/loose-login.check.ts';
import { sqlLoginBypass } from '../../../../workflows/checks/auth/sql-login-bypass.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { rows } from '../../../scorecard/sites/login-judges.ts';
import { firstOfKinds, further } from '../../../support/further.ts';
import { check, openAudit, testBrowsers } from '../harness.ts';

const browsers = testBrowsers();
const test = suite('a secret alone that opens something');
test.after(() => browsers.close());

/** What was sent as the secret: a list where its name says so. */
type Judge = (secret: string | string[]) => 'opens' | 'refuses' | { complains: string };

const form = '<form method=post action=/vault><input type=password name=secret><button>Open the vault</button></form>';
const inside = '<h2>Vault 12</h2><p>Two gold bars and a letter from Kalmar</p>';

async function found(judge: Judge): Promise<string[]> {
  const site = await startSite(({ method, path, body }) => {
    if (path === '/') return html('<a href=/vault>Vault</a>');
    if (path !== '/vault') return undefined;
    if (method !== 'POST') return html(form);
    const fields = new URLSearchParams(body);
    const verdict = judge(fields.has('secret[]') ? fields.getAll('secret[]') : (fields.get('secret') ?? ''));
    if (verdict === 'opens') return html(inside);
    return verdict === 'refuses' ? html(`<p>Wrong password</p>${form}`) : html(`<p>${verdict.complains}</p>`);
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    const ids: string[] = [];
    for (const each of [defaultCredentials, looseLogin, sqlLoginBypass])
      ids.push(
        ...(await check(audit, each as Parameters<typeof check>[1])).findings.map(({ checkId = '' }) => checkId),
      );
    return ids;
  } finally {
    await audit.close();
    await site.close();
  }
}

const own = 'v7-Boje-44';
const isOwn = (secret: string | string[]): boolean => secret === own;
const verdict = (opens: boolean) => (opens ? 'opens' : 'refuses');
const selected = (secret: string | string[]): ReturnType<Judge> => {
  try {
    return verdict(rows(`SELECT * FROM users WHERE password='${String(secret)}'`).length > 0);
  } catch {
    return { complains: 'The database said no' };
  }
};
const zero = (secret: string | string[]): boolean =>
  /^0e\d+$/.test(createHash('md5').update(String(secret)).digest('hex'));

const sites: [what: string, judge: Judge, expected: string[]][] = [
  ['SQL', selected, ['auth.sql-login-bypass']],
  ['a digest that is compared as a number', (secret) => verdict(zero(secret)), ['auth.loose-login']],
  ['a list that compares as equal', (secret) => verdict(Array.isArray(secret) || isOwn(secret)), ['auth.loose-login']],
  ['a password that everybody tries', (secret) => verdict(secret === '1234'), ['auth.default-credentials']],
  ['a secret of its own', (secret) => verdict(isOwn(secret)), []],
  [
    'a complaint about lists and quotes',
    (secret) =>
      Array.isArray(secret)
        ? { complains: 'Warning: strcmp() expects parameter 1 to be string, array given' }
        : /['"]/.test(secret)
          ? { complains: 'Your request was blocked' }
          : verdict(isOwn(secret)),
    [],
  ],
  ['everything opens', () => 'opens', []],
  [
    'digits are distinguished from words',
    (secret) => (/^\d+$/.test(String(secret)) ? { complains: 'Use letters as well' } : verdict(isOwn(secret))),
    [],
  ],
];

for (const [what, judge, expected] of firstOfKinds(sites, ([, , expected]) => expected.join(), 1))
  test(`${what}: ${expected.join() || 'nothing is found'}`, async () => {
    assert.equal(await found(judge), expected);
  });

/** The same by a script, which sends a JSON body. */
const scripted = `<h1>Boat house</h1><form id=f><input name=pin type=password><button>Open</button></form><p id=m></p><script>
f.onsubmit = async (event) => {
  event.preventDefault();
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ pin: f.pin.value }) };
  m.textContent = await (await fetch('/door', options)).text();
};</script>`;

async function foundInJson(opens: (pin: unknown) => boolean): Promise<string[]> {
  const site = await startSite(({ method, path, body }) => {
    if (path === '/') return html(scripted);
    if (path !== '/door' || method !== 'POST') return undefined;
    const { pin } = JSON.parse(body) as { pin: unknown };
    return json(opens(pin) ? { success: true, place: 'Berth 12' } : { success: false, reason: 'wrong pin' });
  });
  const audit = await openAudit(site.url, { depth: 'deep', browsers });
  try {
    const { findings } = await check(audit, looseLogin as Parameters<typeof check>[1]);
    return findings.map(({ location }) => location?.parameter ?? '');
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)('JSON in which anything that holds equals the secret: it is found', async () => {
  assert.equal(await foundInJson((pin) => pin === true || pin === own), ['pin']);
});

further(test)('JSON whose secret is compared as a text: nothing is found', async () => {
  assert.equal(await foundInJson((pin) => pin === own), []);
});

/** Its first page has no words for whoever is let in: only what leads to the login is gone, or stays. */
async function foundAtDesk(keepsLink: boolean): Promise<string[]> {
  const login = '<form method=post><input name=name><input type=password name=password><button>Log in</button></form>';
  const site = await startSite(({ method, path, body, headers }) => {
    const isIn = /\bdesk=open\b/.test(headers.cookie ?? '');
    const link = '<a href=/login>Log in</a>';
    if (path === '/') return html(isIn ? `<p>Drawers of the desk: 4</p>${keepsLink ? link : ''}` : link);
    if (path !== '/login') return undefined;
    if (method !== 'POST') return html(login);
    const fields = new URLSearchParams(body);
    const isAdmin = fields.get('name') === 'admin' && fields.get('password') === 'admin';
    return isAdmin
      ? { status: 302, headers: { location: '/', 'set-cookie': 'desk=open; Path=/' } }
      : { status: 401, headers: { 'content-type': 'text/html' }, body: `<p>Wrong</p>${login}` };
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    return (await check(audit, defaultCredentials)).findings.map(({ checkId = '' }) => checkId);
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)(
  'somebody is let in where the first page no longer leads to the login, and not known to be where it does',
  async () => {
    assert.equal([await foundAtDesk(false), await foundAtDesk(true)], [['auth.default-credentials'], []]);
  },
);

test.run();
