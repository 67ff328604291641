import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cacheDeception } from '../../../../workflows/checks/injection/cache-deception.check.ts';
import { type CacheRules, cdn, startCachingProxy, varnish } from '../../../fixtures/caching-proxy.ts';
import { type Answer, type Handler, html, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('injection.cache-deception');

const names: Record<string, string> = {
  s1a2b3c4d5e6f7: 'ann@northwind.example',
  s9z8y7x6w5v4u3: 'bob@northwind.example',
};
const identity = (name: string, session: string) => ({
  ...{ name, cookies: { sid: session }, checkPath: '/account', marker: names[session] ?? '' },
});
const users = [identity('A', 's1a2b3c4d5e6f7'), identity('B', 's9z8y7x6w5v4u3')];

const userOf = ({ headers }: Request): string | undefined => names[/sid=(\w+)/.exec(String(headers.cookie))?.[1] ?? ''];

/** Static files are kept by their ending, whatever they are. */
const byEnding = (path: string): Record<string, string> =>
  /\.(?:css|js)$/.test(path) ? { 'cache-control': 'public, max-age=60' } : { 'cache-control': 'no-store' };

const account = (request: Request, headers: Record<string, string>): Answer =>
  html(`<h1>Account</h1><p>${userOf(request) ?? 'Please log in'}</p>`, 200, headers);

/** @param isAccount which paths the router takes for the account */
const site =
  (isAccount: (path: string) => boolean, headersFor = byEnding): Handler =>
  (request) => {
    if (request.path === '/') return html('<a href="/account">Account</a>');
    return isAccount(request.path) ? account(request, headersFor(request.path)) : undefined;
  };

async function result(handler: Handler, rules: CacheRules = varnish) {
  const origin = await startSite(handler);
  const cache = await startCachingProxy(origin.url, rules);
  try {
    return { ...(await runOn(cache.url, cacheDeception, { identities: users })), kept: cache.kept };
  } finally {
    await cache.close();
    await origin.close();
  }
}

const vulnerable: Record<string, [Handler, CacheRules]> = {
  'that takes what stands behind a path for a part of it': [site((path) => path.startsWith('/account')), varnish],
  'that knows parameters of the path alone': [site((path) => /^\/account(?:;|$)/.test(path)), cdn],
  'that decodes a question mark before it looks': [
    site((path) => /^\/account(?:\?|$)/.test(path.replace('%3f', '?'))),
    cdn,
  ],
};
for (const [what, [handler, rules]] of Object.entries(vulnerable))
  test(`a page of an application ${what}, behind a cache that goes by endings, is found`, async () => {
    const found = await result(handler, rules);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /account']], found.outcome.reason);
    assert.not.match(stored(found), /northwind|s1a2b3c4d5e6f7/);
  });

further(test)('a page that is too large to be read hides no other, and is reported', async () => {
  const { findings, outcome } = await result((request) =>
    request.path === '/book'
      ? html(`<p>${userOf(request) ?? 'Nobody'}</p>${'<div>'.repeat(20_000)}`)
      : request.path === '/'
        ? html('<a href="/book">Book</a><a href="/account">Account</a>')
        : site((path) => path.startsWith('/account'))(request),
  );
  assert.equal(
    [findings.length, ...outcome.omitted.map(({ code, count }) => `${code} ${count}`)],
    [1, 'page_cut 1'],
    outcome.reason,
  );
});

further(test)('nothing is kept at an address that somebody else could ask for', async () => {
  const { kept } = await result(site((path) => path.startsWith('/account')));
  assert.ok(kept.length > 0);
  for (const key of kept) assert.match(key, /[a-z][a-z0-9]{9}\.css$/);
});

const clean: Record<string, Handler> = {
  'that answers 404 for what it has no route for': site((path) => path === '/account'),
  'whose pages of users are never kept': site(
    (path) => path.startsWith('/account'),
    () => ({ 'cache-control': 'private, no-store' }),
  ),
  'that shows everybody the same page there': (request) =>
    request.path === '/account'
      ? account(request, { 'cache-control': 'no-store' })
      : html('<a href="/account">Account</a> of ann or bob', 200, byEnding(request.path)),
};
for (const [what, handler] of firstRows(Object.entries(clean), 2))
  test(`an application ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

test.run();
