import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withAllowance } from '../../../../workflows/checks/allowance.ts';
import { installer } from '../../../../workflows/checks/exposure/installer.check.ts';
import { exposedPaths } from '../../../../workflows/checks/exposure/paths/catalogue.ts';
import { likeliestPaths } from '../../../../workflows/checks/exposure/paths/likeliest.ts';
import { loadRegistry } from '../../../../workflows/checks/registry.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('requests of the exposure checks');

const pages: Record<string, string> = {
  '/': '<a href="/about/">About</a> <a href="/news/today/">News</a> <a href="/contact">Contact</a>',
  '/about/': 'About us',
  '/news/today/': 'News of today',
  '/contact': 'Contact us',
};

/** What the whole family asks a small site for, its checks one after the other as the worker gives them their context. */
async function askedOf(handler: Handler): Promise<string[]> {
  const site = await startSite((request) => {
    const page = pages[request.path];
    return page === undefined ? handler(request) : html(`<h1>Shop</h1>${page}`);
  });
  const audit = await openAudit(`${site.url}/`);
  const before = site.requests.length;
  const paid = new WeakSet<Exchange>();
  try {
    const family = (await loadRegistry()).family('exposure');
    for (const each of family?.checks ?? [])
      await check({ ...audit, context: withAllowance(audit.context, 5_000, paid) }, each);
    return site.requests.slice(before);
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)('a site that shows nothing of itself is asked for 215 addresses at most', async () => {
  const asked = await askedOf(() => undefined);
  assert.ok(asked.length > 100 && asked.length <= 215, `${asked.length} requests`);
});

test('a program is one place, however many queries pages ask it', async () => {
  const links = Array.from({ length: 30 }, (_, index) => `<a href="/index.php?action=delete&topic=${index}">x</a>`);
  const site = await startSite(({ path }) => (path === '/' ? html(links.join(' ')) : undefined));
  const audit = await openAudit(`${site.url}/`);
  try {
    const { outcome } = await check(audit, installer);
    const left = (outcome.omitted ?? []).reduce((sum, { count }) => sum + count, 0);
    assert.ok(left <= 3, `${left} places were left out`);
  } finally {
    await audit.close();
    await site.close();
  }
});

further(test)('so is one that answers every name with its home page, or leads it to a login', async () => {
  for (const handler of [
    () => html('<h1>Shop</h1>'),
    ({ path }) => (path === '/login' ? html('login') : { status: 302, headers: { location: '/login' } }),
    () => html('<h1>Forbidden</h1>', 403),
  ] satisfies Handler[]) {
    const asked = await askedOf(handler);
    assert.ok(asked.length <= 215, `${asked.length} requests`);
  }
});

further(test)('checks of one activity share what a site says of random names', async () => {
  const asked = await askedOf(() => undefined);
  const random = asked.filter((line) => /^GET \/[a-z0-9]{12}$/.test(line));
  assert.is(random.length, 2, random.join(' '));
});

further(test)('an answer of its own gives a reason to ask for more', async () => {
  const asked = await askedOf(({ path }) => (path === '/logs/error.log' ? { status: 403, body: 'no' } : undefined));
  assert.ok(asked.includes('GET /logs/access.log'), 'a log that is refused by its name');
  assert.not.ok(asked.includes('GET /users.sql'), 'and nothing of another kind');
});

test('a site is known by the page of its framework for what is not there', async () => {
  const asked = await askedOf(({ path }) => html(`<pre>Cannot GET ${path}</pre>`, 404));
  assert.ok(asked.includes('GET /npm-debug.log'));
  assert.not.ok(asked.includes('GET /wp-config.php.bak'));
});

test('each of the likeliest paths is one that is known', () => {
  const known = new Set(exposedPaths.flatMap(({ paths }) => paths));
  assert.equal(
    [...likeliestPaths].filter((path) => !known.has(path)),
    [],
  );
});

test.run();
