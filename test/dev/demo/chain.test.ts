import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../dev/demo/demo.ts';
import { identities } from '../../../dev/demo/identities.ts';
import { readToken, signToken } from '../../../dev/demo/token.ts';
import { launchBrowser } from '../../core/report/browser.ts';
import { further } from '../../support/further.ts';
import { Visitor } from './client.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-chain-'));
const demo = await startDemo({ folder, port: 0, patched: false });
const visitor = new Visitor(demo);
const chain = suite('what the weaknesses of the shop give together');

/** An object of the served repository: its kind, and its content. */
async function gitObject(id: string): Promise<{ kind: string; content: Buffer }> {
  const { bytes } = await visitor.get(`/.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  const whole = inflateSync(bytes);
  const end = whole.indexOf(0);
  return { kind: whole.subarray(0, end).toString().split(' ')[0] ?? '', content: whole.subarray(end + 1) };
}

/** Names and identifiers in a tree. */
function entries(tree: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    const name = tree.subarray(at, end).toString().split(' ').slice(1).join(' ');
    found.set(name, tree.subarray(end + 1, end + 21).toString('hex'));
    at = end + 21;
  }
  return found;
}

async function committedFile(...path: string[]): Promise<string> {
  const branch = (await visitor.get('/.git/HEAD')).text.trim().replace('ref: ', '');
  const commit = (await visitor.get(`/.git/${branch}`)).text.trim();
  const { kind, content } = await gitObject(commit);
  assert.is(kind, 'commit');
  let id = /^tree ([0-9a-f]{40})$/m.exec(content.toString())?.[1] ?? '';
  for (const name of path) id = entries((await gitObject(id)).content).get(name) ?? '';
  return (await gitObject(id)).content.toString();
}

chain('the repository leads to the signing key, the key to a session of staff', async () => {
  const { jwtSecret } = JSON.parse(await committedFile('config', 'production.json')).session;
  await visitor.logIn('a');
  const [cookie] = await visitor.jar.getCookies(demo.url);
  if (!cookie) throw new Error('the shop sent no cookie');
  const claims = readToken(jwtSecret, cookie.value);
  if (!claims) throw new Error('the key does not fit the session');
  assert.is((await visitor.get('/admin')).status, 403);
  cookie.value = signToken(jwtSecret, { ...claims, role: 'admin' });
  const page = await visitor.get('/admin');
  assert.is(page.status, 200);
  assert.match(page.text, 'Orders of all customers');
});

chain('the settings that are served hold the same key', async () => {
  const { jwtSecret } = JSON.parse(await committedFile('config', 'production.json')).session;
  assert.match((await visitor.get('/.env')).text, `\nJWT_SECRET=${jwtSecret}\n`);
});

chain('a route from the source map leads to the invoices of others', async () => {
  const { sourcesContent } = JSON.parse((await visitor.get('/assets/studio.js.map')).text);
  const [route = ''] = /\/api\/invoices\//.exec(sourcesContent.join('\n')) ?? [];
  assert.not.match((await visitor.get('/assets/studio.js')).text, route);
  const customer = visitor.another();
  await customer.logIn('a');
  assert.match((await customer.get(`${route}1042`)).text, 'Ben Okafor');
});

chain('a profile that takes the role opens the administration, until it is taken back', async () => {
  const customer = visitor.another();
  await customer.logIn('b');
  const { street, city } = identities.b;
  const statusAs = async (role: string) => {
    await customer.put('/api/me', { street, city, role });
    return (await customer.get('/admin')).status;
  };
  assert.equal([await statusAs('admin'), await statusAs('customer')], [200, 403]);
});

chain('the code in the repository is the code that runs', async () => {
  assert.match(await committedFile('src', 'token.ts'), 'export function signToken');
});

chain('the index of the repository names what is committed', async () => {
  const index = (await visitor.get('/.git/index')).bytes;
  assert.is(index.subarray(0, 4).toString(), 'DIRC');
  assert.ok(index.includes('config/production.json'));
});

chain('the signing key stays over a restart, so sessions do too', async () => {
  const [cookie] = await visitor.jar.getCookies(demo.url);
  const again = await startDemo({ folder, port: 0, patched: false });
  const later = new Visitor(again);
  try {
    await later.jar.setCookie(`shop_session=${cookie?.value}`, again.url);
    assert.is((await later.get('/account')).status, 200);
  } finally {
    await later.close();
    await again.close();
  }
});

further(chain)('a search term and a fragment run as script in a browser, and not in the patched twin', async () => {
  const twin = await startDemo({ folder, port: 0, patched: true });
  const browser = await launchBrowser();
  const dialogs = async (url: string, isExpected: boolean) => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const seen: string[] = [];
    page.on('dialog', async (dialog) => {
      seen.push(dialog.message());
      await dialog.dismiss();
    });
    // The studio is ready when it shows a piece, the search with its page.
    const done = isExpected
      ? page.waitForEvent('dialog')
      : page.waitForSelector('.piece, .cards', { state: 'attached' });
    await page.goto(url);
    await done;
    await page.close();
    return seen;
  };
  try {
    const term = encodeURIComponent('<svg onload=alert("k3v9")>');
    const fragment = '<img src=data:, onerror=alert("k3v9")>';
    for (const [shop, expected] of [
      [demo, ['k3v9']],
      [twin, []],
    ] as const) {
      assert.equal(await dialogs(`${shop.url}search?q=${term}`, expected.length > 0), expected);
      assert.equal(await dialogs(`${shop.url}studio#${fragment}`, expected.length > 0), expected);
    }
  } finally {
    await browser.close();
    await twin.close();
  }
});

chain.after(async () => {
  await visitor.close();
  await demo.close();
  await rm(folder, { recursive: true });
});
chain.run();
