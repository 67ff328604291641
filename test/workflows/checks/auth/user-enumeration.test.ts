import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { userEnumeration } from '../../../../workflows/checks/auth/user-enumeration.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { type Judge, type LoginSite, startLogin } from '../../../scorecard/sites/login-sites.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn, testBrowsers } from '../harness.ts';

const test = suite('names that a login reveals');

const passwords = new Map([
  ['ina', 'v7-Boje-44'],
  ['admin', 'k3-Werft-91'],
]);
const judge: Judge = ({ name, password }) =>
  passwords.get(String(name)) === password && password !== undefined ? String(name) : undefined;
/** Says what is wrong, as an error of this status. */
const saying =
  (say: (name: string) => string): Judge =>
  (fields, request) => {
    const who = judge(fields, request) as string | undefined;
    if (who === undefined) throw new Error(say(String(fields.name)));
    return who;
  };
const ina = {
  ...{ name: 'ina', checkPath: '/harbour', marker: 'Berths of ina' },
  login: { path: '/form', username: 'ina', password: 'v7-Boje-44' },
};
const resultOf = async (site: LoginSite, identities: (typeof ina)[] = []) => {
  const { url, close } = await startLogin(site);
  try {
    return await runOn(url, userEnumeration, { depth: 'deep', identities });
  } finally {
    await close();
  }
};
const error = { status: 200, text: 'Sorry' };
const byWords = {
  error,
  judge: saying((name) => (passwords.has(name) ? 'The password is wrong.' : 'Nobody is called so.')),
};
const byStatus = {
  style: 'token' as const,
  judge: ((fields, request) => {
    if (!passwords.has(String(fields.name))) throw new Error('There is no such user.');
    return judge(fields, request);
  }) satisfies Judge,
  error: { status: 404, text: 'Sorry' },
};

test('other words for a usual name are found', async () => {
  const { findings } = await resultOf(byWords);
  assert.is(findings.length, 1);
  assert.match(findings[0]?.description ?? '', /"admin"/);
});

test('an interface that opens an account for a new name, and refuses a name that is taken, is no login that reveals names', async () => {
  const resultWith = async (opens: boolean) => {
    const body = JSON.stringify({ user: 'test', password: 'none' });
    const script = `fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${body}' });`;
    const site = await startSite(({ path, method, body: sent }) => {
      if (path === '/') return html(`<h1>Soap and candles</h1><script>${script}</script>`);
      if (path !== '/api/login' || method !== 'POST') return undefined;
      const { user } = JSON.parse(sent || '{}');
      if (user === 'admin') return json({ detail: 'another password' }, 401);
      if (!opens) return json({ detail: 'nobody' }, 404);
      return {
        ...json({ name: user }),
        headers: { 'content-type': 'application/json', 'set-cookie': 'hive=91c4f0a2be77' },
      };
    });
    const browsers = testBrowsers();
    try {
      return await runOn(site.url, userEnumeration, { depth: 'deep', writes: 'create', browsers });
    } finally {
      await browsers.close();
      await site.close();
    }
  };
  assert.is((await resultWith(true)).findings.length, 0);
  assert.is((await resultWith(false)).findings.length, 1);
});

test('a condition that lets in is no name that a login reveals', async () => {
  const condition = "admin'-- -";
  const entered: Judge = (fields, request) => (fields.name === condition ? 'admin' : judge(fields, request));
  const bypass = {
    ...{ name: 'bypass_1', checkPath: '/harbour', marker: 'Berths of admin' },
    login: { path: '/form', username: condition, password: 'any' },
  };
  const { findings } = await resultOf({ error, judge: entered }, [bypass]);
  assert.equal(findings, []);
});

further(test)('other words for a name that the site shows are found', async () => {
  const site = { error, judge: saying((name) => (name === 'ina' ? 'The password is wrong.' : 'Nobody is called so.')) };
  const { findings } = await resultOf({ ...site, front: '<p>Your harbour master: Ina Holm (ina)</p>' });
  assert.match(findings[0]?.description ?? '', /"ina"/);
});

further(test)("other words for a test identity's own name are found", async () => {
  const { findings } = await resultOf(byWords, [ina]);
  assert.match(findings[0]?.description ?? '', /"ina"/);
});

const after = { status: 302, text: '', isShownAfter: true as const };

further(test)('other words on the page to which all answers lead are found', async () => {
  assert.is((await resultOf({ ...byWords, error: after })).findings.length, 1);
  assert.is((await resultOf({ ...byWords, error: after }, [ina])).findings.length, 1);
  assert.is((await resultOf({ error: after, judge: saying(() => 'That does not fit.') }, [ina])).findings.length, 0);
});

further(test)('another parameter of the address to which answers lead is found', async () => {
  const led = (error: string | ((said: string) => string)) => ({
    ...{ status: 302, text: '' },
    leadsTo: (said: string) => `/form?error=${typeof error === 'string' ? error : encodeURIComponent(error(said))}`,
  });
  assert.is((await resultOf({ ...byWords, error: led((said) => said.slice(0, 10)) })).findings.length, 1);
  assert.is((await resultOf({ ...byWords, error: led('login') })).findings.length, 0);
});

further(test)('another status of JSON is found', async () => {
  assert.is((await resultOf(byStatus)).findings.length, 1);
});

let count = 0;
const counted = (): number => {
  count += 1;
  return count;
};
const clean: [what: string, site: LoginSite][] = [
  ['the same words', { judge }],
  ['the same status of JSON', { judge, style: 'token' }],
  [
    'a name that is repeated',
    { error, judge: saying((name) => `"${name}" and the password do not fit, ${name.toUpperCase()}`) },
  ],
  ['other words each time', { error, judge: saying(() => `Try ${Math.random()}`) }],
  [
    'words that change after some tries',
    { error, judge: saying(() => (counted() > 3 ? 'Again? The password is wrong.' : 'Wrong.')) },
  ],
  [
    'a login that is closed after some tries',
    { error, judge: saying(() => (counted() > 3 ? 'Too many login attempts.' : 'Wrong.')) },
  ],
];
for (const [what, site] of firstRows(clean, 3))
  further(test)(`${what}: nothing is reported`, async () => {
    count = 0;
    assert.is((await resultOf(site)).findings.length, 0);
    count = 0;
    assert.is((await resultOf(site, site.style || site.error ? [] : [ina])).findings.length, 0);
  });

further(test)('a test identity is tried four times at most', async () => {
  let tries = 0;
  await resultOf(
    {
      ...byWords,
      judge: (fields, request) => {
        if (fields.name === 'ina' && fields.password !== 'v7-Boje-44') tries += 1;
        return byWords.judge(fields, request);
      },
    },
    [ina],
  );
  assert.ok(tries > 1 && tries <= 4, String(tries));
});

test.run();
