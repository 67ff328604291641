import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { privatePageCacheable } from '../../../../workflows/checks/access/private-page-cacheable.check.ts';
import { startCachingProxy, varnish } from '../../../fixtures/caching-proxy.ts';
import { type Handler, html, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('access.private-page-cacheable');

const names: Record<string, string> = {
  s1a2b3c4d5e6f7: 'ann@northwind.example',
  s9z8y7x6w5v4u3: 'bob@northwind.example',
};
const identity = (name: string, session: string) => ({
  ...{ name, cookies: { sid: session }, checkPath: '/account', marker: names[session] ?? '' },
});
const users = [identity('A', 's1a2b3c4d5e6f7'), identity('B', 's9z8y7x6w5v4u3')];
const userOf = ({ headers }: Request): string | undefined => names[/sid=(\w+)/.exec(String(headers.cookie))?.[1] ?? ''];

/** @param headers of the page of a user */
const site =
  (headers: Record<string, string>, about = (request: Request) => userOf(request) ?? 'Please log in'): Handler =>
  (request) => {
    if (request.path === '/') return html('<a href="/account">Account</a>', 200, { 'cache-control': 'no-cache' });
    return request.path === '/account' ? html(`<h1>Account</h1><p>${about(request)}</p>`, 200, headers) : undefined;
  };

async function result(handler: Handler, identities = users) {
  const started = await startSite(handler);
  try {
    return await runOn(started.url, privatePageCacheable, { identities });
  } finally {
    await started.close();
  }
}

const later = new Date(Date.now() + 3_600_000).toUTCString();
const kept: Record<string, Record<string, string>> = {
  'for everybody': { 'cache-control': 'public, max-age=300' },
  'for a time, and nobody said for whom': { 'cache-control': 'max-age=600' },
  'longer in shared caches': { 'cache-control': 'max-age=0, s-maxage=60' },
  'until a date': { expires: later, date: new Date().toUTCString() },
};
for (const [how, headers] of firstRows(Object.entries(kept), 2))
  test(`a page of a user that may be kept ${how} is found`, async () => {
    const found = await result(site(headers));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /account Cache-Control']], found.outcome.reason);
    assert.not.match(stored(found), /northwind|s1a2b3c4d5e6f7/);
  });

const clean: Record<string, Handler> = {
  'is not to be stored': site({ 'cache-control': 'no-store' }),
  'is for its user’s browser alone': site({ 'cache-control': 'private, max-age=300' }),
  'is asked for again each time': site({ 'cache-control': 'public, no-cache' }),
  'differs with the session, and says so': site({ 'cache-control': 'public, max-age=300', vary: 'Cookie' }),
  'says nothing of how long it may be kept': site({}),
  'is old when it arrives': site({ 'cache-control': 'max-age=0' }),
  'ended long ago': site({ expires: 'Thu, 19 Nov 1981 08:52:00 GMT' }),
  'shows everybody the same': site({ 'cache-control': 'public, max-age=300' }, () => 'Open from nine to five'),
};
for (const [what, handler] of firstRows(Object.entries(clean), 3))
  test(`a page that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

further(test)(
  'a cache that goes by the standard gives a page that is found to a visitor without a session',
  async () => {
    const origin = await startSite(site({ 'cache-control': 'public, max-age=300' }));
    const cache = await startCachingProxy(origin.url, varnish);
    try {
      const account = `http://127.0.0.1:${new URL(cache.url).port}/account`;
      await fetch(account, { headers: { cookie: 'sid=s1a2b3c4d5e6f7' } });
      assert.match(await (await fetch(account)).text(), /ann@northwind/);
    } finally {
      await cache.close();
      await origin.close();
    }
  },
);

test('without a login it does not run', async () => {
  const { outcome } = await result(site({ 'cache-control': 'public, max-age=300' }), []);
  assert.is(outcome.kind, 'not-run');
});

test.run();
