import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { cachePoisoning } from '../../../../workflows/checks/injection/cache-poisoning.check.ts';
import { type CacheRules, cdn, startCachingProxy, varnish } from '../../../fixtures/caching-proxy.ts';
import { escapeHtml, type Handler, html, type Request, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('injection.cache-poisoning');

/** A site behind a cache. */
async function result(handler: Handler, rules: CacheRules = varnish) {
  const site = await startSite(handler);
  const cache = await startCachingProxy(site.url, rules);
  try {
    return { ...(await runOn(cache.url, cachePoisoning)), requests: site.requests, kept: cache.kept };
  } finally {
    await cache.close();
    await site.close();
  }
}

const keep = { 'cache-control': 'public, max-age=60' };
const first = (headers: Request['headers'], ...names: string[]): string =>
  String(names.map((name) => headers[name]).find(Boolean) ?? '');

/** A page at "/" that is made of what `content` returns. */
const home =
  (content: (request: Request) => string, headers: Record<string, string> = keep): Handler =>
  (request) =>
    request.path === '/' ? html(content(request), 200, headers) : undefined;

const scripted = home(
  ({ headers }) => `<script src="//${escapeHtml(first(headers, 'x-forwarded-host', 'host'))}/app.js"></script>`,
);

further(test)(
  'a script of a host that a header names is found behind a cache that says nothing of that header',
  async () => {
    const found = await result(scripted);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    const [finding] = found.findings;
    assert.equal([finding?.severity, finding?.location?.parameter], [Severity.HIGH, 'X-Forwarded-Host']);
  },
);

further(test)('the commands poison an address of their own, and ask for it without the header', async () => {
  const { findings } = await result(scripted);
  const curl = findings[0]?.proof?.curl ?? '';
  const addresses = [...curl.matchAll(/http:\/\/\S+\/\?(\w+)=\1/g)].map(([address]) => address);
  assert.equal([addresses.length, new Set(addresses).size], [2, 1], curl);
  assert.is(curl.match(/X-Forwarded-Host/g)?.length, 1 + (curl.match(/# .*X-Forwarded-Host/g)?.length ?? 0), curl);
});

/** With parameters of the survey under names that nobody has. */
const surveyed = /\?k[0-9a-f]{6}=k/;

further(test)('no answer that it shaped is kept where somebody else could get it', async () => {
  const { kept, requests } = await result(scripted);
  const unshared = kept.filter((key) => /\?([a-z0-9]+)=\1(?:&|$)/.test(key) || surveyed.test(key));
  const shared = kept.filter((key) => !unshared.includes(key));
  assert.ok(unshared.length > 4);
  assert.ok(
    shared.every((key) => !/[?]/.test(key)),
    shared.join(' '),
  );
  assert.is(requests.filter((request) => request === 'GET /').length, 1, 'the crawler’s own');
});

further(test)('a page that is sent elsewhere by a rarer header is found behind a CDN', async () => {
  const found = await result((request) => {
    if (request.path === '/shop') return html('shop', 200, keep);
    const host = first(request.headers, 'x-host', 'host');
    return request.path === '/'
      ? { ...redirect(`http://${host}/shop`), headers: { ...keep, location: `http://${host}/shop` } }
      : undefined;
  }, cdn);
  assert.equal(
    found.findings.map(({ location }) => location?.parameter),
    ['X-Host'],
    found.outcome.reason,
  );
});

further(test)('a header that counts is found although another one that is part of the key hides it', async () => {
  const found = await result(
    home(
      ({ headers }) => `<link rel="canonical" href="http://${first(headers, 'x-forwarded-host', 'x-host', 'host')}/">`,
      {
        ...keep,
        vary: 'X-Forwarded-Host',
      },
    ),
  );
  assert.equal(
    found.findings.map(({ location }) => location?.parameter),
    ['X-Host'],
    found.outcome.reason,
  );
  assert.is(found.findings[0]?.severity, Severity.MEDIUM);
});

test('an error that a header puts in the place of the page is found', async () => {
  const found = await result(
    ({ path, headers }) =>
      first(headers, 'x-original-url') === '' && path === '/'
        ? html('home', 200, keep)
        : html('There is no such page.', 404, keep),
    cdn,
  );
  assert.equal(
    found.findings.map(({ location }) => location?.parameter),
    ['X-Original-URL'],
    found.outcome.reason,
  );
});

further(test)('a redirect to HTTPS that a header brings about is found', async () => {
  const found = await result(({ path, headers, target }) => {
    if (path !== '/') return undefined;
    return first(headers, 'x-forwarded-scheme') === 'http'
      ? { status: 301, headers: { ...keep, location: `https://${headers.host}${target}` } }
      : html('home', 200, keep);
  }, cdn);
  assert.equal(
    found.findings.map(({ location }) => location?.parameter),
    ['X-Forwarded-Scheme'],
    found.outcome.reason,
  );
});

/** Leaves out of the key what counts visitors. */
const withoutCampaign = (rules: CacheRules): CacheRules => ({
  ...rules,
  key: (target, headers) =>
    `${headers.host}${target.replace(/([?&])(?:utm_\w+|gclid|fbclid)=[^&]*/g, '$1')}`.replace(/[?&]+$/, ''),
});

further(test)('markup in a parameter that the cache leaves out of its key is found', async () => {
  const page = home(({ query }) => `<a href="/join?from=${query.get('utm_campaign') ?? ''}">Join</a>`);
  const found = await result(page, withoutCampaign(cdn));
  assert.equal(
    found.findings.map(({ location }) => location?.parameter),
    ['utm_campaign'],
    found.outcome.reason,
  );
  assert.is(found.findings[0]?.severity, Severity.HIGH);
});

test('a cache that says nothing is known by what each answer has anew', async () => {
  const pages = new Map<string, ReturnType<typeof html>>();
  const render = ({ headers }: Request) =>
    html(`<base href="http://${escapeHtml(first(headers, 'x-forwarded-host', 'host'))}/"><!-- ${randomUUID()} -->`);
  const site = await startSite((request) => {
    if (request.path !== '/') return undefined;
    const page = pages.get(request.target) ?? render(request);
    pages.set(request.target, page);
    return page;
  });
  try {
    const found = await runOn(site.url, cachePoisoning);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  } finally {
    await site.close();
  }
});

test('where a cache passes over the query nothing is tried, since others would get it', async () => {
  let tried = 0;
  const handler: Handler = (request) => {
    if (first(request.headers, 'x-forwarded-host', 'x-original-url', 'x-forwarded-scheme') !== '') tried += 1;
    return scripted(request);
  };
  const found = await result(handler, { ...cdn, key: (target, { host }) => `${host}${target.replace(/\?.*/s, '')}` });
  assert.equal([found.outcome.kind, tried], ['not-applicable', 0]);
});

const clean: Record<string, [Handler, CacheRules]> = {
  'a site that believes the header without a cache': [
    home(({ headers, target }) => `<a href="//${first(headers, 'x-forwarded-host')}${target}">a</a>`, {}),
    varnish,
  ],
  'a page whose answers vary by the header': [
    home(({ headers }) => `<script src="//${first(headers, 'x-forwarded-host', 'host')}/a.js"></script>`, {
      ...keep,
      vary: 'X-Forwarded-Host',
    }),
    varnish,
  ],
  'a page that must not be stored': [
    home(({ headers }) => `<a href="//${first(headers, 'x-forwarded-host')}/">a</a>`, { 'cache-control': 'no-store' }),
    varnish,
  ],
  'a cache that has the header in its key': [
    scripted,
    { ...cdn, key: (target, headers) => `${headers['x-forwarded-host']} ${headers.host}${target}` },
  ],
  'a page that shows the header as text': [
    home(({ headers }) => `<p>${escapeHtml(first(headers, 'x-forwarded-host'))}</p>`),
    varnish,
  ],
  'a page that encodes a parameter outside of the key': [
    home(({ query }) => `<p>${escapeHtml(query.get('utm_source') ?? '')}</p>`),
    withoutCampaign(cdn),
  ],
  'a page that shows markup of a parameter in a text field': [
    home(({ query }) => `<textarea>${query.get('utm_source') ?? ''}</textarea>`),
    withoutCampaign(cdn),
  ],
};

for (const [what, [handler, rules]] of firstRows(Object.entries(clean), 2)) {
  test(`${what} is clean`, async () => {
    const found = await result(handler, rules);
    assert.equal(found.findings.length, 0, found.outcome.reason);
    assert.is.not(found.outcome.kind, 'not-run', found.outcome.reason);
  });
}

test('an application that keeps what it was last sent for all addresses has no cache to poison', async () => {
  let last = 'shop.localhost';
  const found = await result(({ path, headers, target }) => {
    last = first(headers, 'x-forwarded-host') || last;
    return path === '/' ? html(`<a href="//${escapeHtml(last)}${target}">a</a>`) : undefined;
  }, {});
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

test('a site without pages has nothing to look at', async () => {
  assert.is((await result(() => ({ status: 204 }))).outcome.kind, 'not-applicable');
});

test('a site without a cache costs few requests', async () => {
  const { requests } = await result(home(() => `<p>${randomUUID()}</p>`, {}));
  assert.is(requests.filter((request) => request.startsWith('GET /?') && !surveyed.test(request)).length, 2);
});

test.run();
