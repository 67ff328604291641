import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { openRedirect } from '../../../../workflows/checks/injection/open-redirect.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Answer, escapeHtml, type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('injection.open-redirect');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(handler: Handler, browsers?: BrowserPool) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, openRedirect, browsers ? { browsers } : {});
  } finally {
    await site.close();
  }
}

/** A site whose page /leave sends visitors where its parameter says, if `send` agrees. */
const sending =
  (send: (to: string) => Answer | undefined, parameter = 'next'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/leave?${parameter}=%2Forders">leave</a><p>/orders</p>`);
    if (path === '/leave') return send(query.get(parameter) ?? '') ?? html('<h1>Bad address</h1>', 400);
    return path.startsWith('/orders') ? html('orders') : undefined;
  };

const vulnerable: Record<string, (to: string) => Answer | undefined> = {
  anything: (to) => redirect(to),
  'anything, with 303': (to) => redirect(to, 303),
  'anything that begins with a slash': (to) => (to.startsWith('/') ? redirect(to) : undefined),
  'a slash that is not followed by another': (to) => (/^\/[^/]/.test(to) ? redirect(to) : undefined),
  'no address with a scheme': (to) => (/^[a-z]+:/i.test(to) ? undefined : redirect(to)),
  'what begins with its own address': (to) => (/^https?:\/\/shop\.localhost/.test(to) ? redirect(to) : undefined),
  'what contains its own name': (to) => (to.includes('shop.localhost') ? redirect(to) : undefined),
  'hosts that end with its own name': (to) =>
    URL.parse(to)?.hostname.endsWith('shop.localhost') ? redirect(to) : undefined,
  'what begins with its own address, of its own scheme': (to) =>
    to.startsWith('http://shop.localhost') ? redirect(to) : undefined,
  'what begins with its own address and port': (to) =>
    /^http:\/\/shop\.localhost:\d+/.test(to) ? redirect(to) : undefined,
  'a path that it puts behind its own name': (to) => redirect(`http://shop.localhost${to}`),
};

for (const [what, send] of firstRows(Object.entries(vulnerable), 3)) {
  test(`a redirect that accepts ${what} is found`, async () => {
    const found = await result(sending(send));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /leave next']], found.outcome.reason);
  });
}

further(test)('a redirect that hands over the code of a login is graver', async () => {
  const handing = (code: (to: string) => string) =>
    result(({ path, query }) => {
      const to = query.get('redirect_uri') ?? '';
      const target = encodeURIComponent('http://shop.localhost/back');
      if (path === '/')
        return html(`<a href="/oauth/authorize?client_id=1&redirect_uri=${target}">Sign in with your account</a>`);
      if (path === '/back') return html('connected');
      if (path !== '/oauth/authorize') return undefined;
      return to.startsWith('http://shop.localhost') ? redirect(`${to}?${code(to)}`) : html('mismatch', 400);
    });
  const [leaking, plain] = [await handing(() => `code=${Math.random()}7`), await handing((to) => `code=${to.length}`)];
  assert.equal(
    [places(leaking), leaking.findings[0]?.severity],
    [['GET /oauth/authorize redirect_uri'], Severity.HIGH],
  );
  assert.equal([places(plain), plain.findings[0]?.severity], [['GET /oauth/authorize redirect_uri'], Severity.MEDIUM]);
});

const safe: Record<string, (to: string) => Answer | undefined> = {
  'only paths of its own, by the URL parser': (to) => {
    const url = URL.parse(to, 'http://shop.localhost/');
    return redirect(url?.origin === 'http://shop.localhost' ? url.pathname : '/');
  },
  'only names of a list': (to) => (['/orders', '/account'].includes(to) ? redirect(to) : undefined),
  'nothing, but repeats the value in the query': (to) => redirect(`/orders?from=${encodeURIComponent(to)}`),
  'nothing, but shows the address as a link': (to) =>
    html(`<p>You leave for <a href="${escapeHtml(to)}">there</a></p>`),
  'its own host with the value as a path': (to) => redirect(`/orders/${encodeURIComponent(to)}`),
};

for (const [what, send] of firstRows(Object.entries(safe), 3)) {
  test(`a redirect that accepts ${what} is clean`, async () => {
    const found = await result(sending(send));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

const elsewhere =
  (allows: (to: string) => boolean, partner = 'https://partner.example/offer'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/out?url=${partner}">Partner</a>`);
    const to = query.get('url') ?? '';
    if (path === '/out') return allows(to) ? redirect(to) : html('<h1>Not a partner</h1>', 400);
    return undefined;
  };

const partners: [string, boolean, (to: string) => boolean][] = [
  ['have the name of a partner in them', true, (to) => to.includes('partner.example')],
  ['have an address of a partner in them', true, (to) => to.includes('https://partner.example/offer')],
  ['begin with that of a partner', true, (to) => to.startsWith('https://partner.example')],
  ['end with that of a partner', true, (to) => URL.parse(to)?.hostname.endsWith('partner.example') ?? false],
  ['are those of a partner', false, (to) => URL.parse(to)?.hostname === 'partner.example'],
];

test('a redirect to what ends as the address of a partner does, which has no path, is found', async () => {
  const found = await result(elsewhere((to) => to.endsWith('.partner.example'), 'http://www.partner.example'));
  assert.equal(places(found), ['GET /out url'], found.outcome.reason);
});

for (const [what, isFound, allows] of firstRows(partners, 2))
  test(`a redirect to addresses that ${what} is ${isFound ? 'found' : 'clean'}`, async () => {
    const found = await result(elsewhere(allows));
    assert.equal(places(found), isFound ? ['GET /out url'] : [], found.outcome.reason);
  });

further(test)(
  'a place to go that the site writes in base64 is found, and not where only partners are led to',
  async () => {
    const site =
      (allows: (to: string) => boolean): Handler =>
      ({ path, query }) => {
        const partner = Buffer.from('https://partner.example/').toString('base64');
        if (path === '/') return html(`<a href="/out?u=${encodeURIComponent(partner)}">Partner</a>`);
        const to = Buffer.from(query.get('u') ?? '', 'base64').toString();
        if (path !== '/out') return undefined;
        return allows(to) && /^[!-~]+$/.test(to) ? redirect(to) : html('<h1>Not a partner</h1>', 400);
      };
    assert.equal(places(await result(site(() => true))), ['GET /out u']);
    assert.equal(places(await result(site((to) => URL.parse(to)?.hostname === 'partner.example'))), []);
  },
);

test('a parameter of any name whose answer redirects is tried in all spellings', async () => {
  const send = (to: string) => (to.startsWith('/') ? redirect(to) : redirect('/'));
  assert.equal(places(await result(sending(send, 'zz'))), ['GET /leave zz']);
});

test('a first hop of the site’s own that keeps the value is followed to the one that leads away', async () => {
  const found = await result(({ path, query }) => {
    if (path === '/') return html('<a href="/go?to=/a">go</a>');
    if (path === '/go') return redirect(`/go/?to=${encodeURIComponent(query.get('to') ?? '')}`, 301);
    return path === '/go/' ? redirect(query.get('to') ?? '/') : undefined;
  });
  assert.equal(places(found), ['GET /go to']);
});

further(test)('a page that refreshes to the value in a few seconds is found', async ({ browsers }) => {
  const send = (to: string) => html(`<meta http-equiv="refresh" content="2; url=${escapeHtml(to)}">`);
  assert.equal(places(await result(sending(send), browsers)), ['GET /leave next']);
});

further(test)('a script that goes to the value of its own address is found', async ({ browsers }) => {
  const script = '<script>location = new URLSearchParams(location.search).get("next") || "/"</script>';
  assert.equal(
    places(
      await result(
        sending(() => html(script)),
        browsers,
      ),
    ),
    ['GET /leave next'],
  );
});

further(test)('a script that only goes to paths is clean', async ({ browsers }) => {
  const script =
    '<script>const to = new URL(new URLSearchParams(location.search).get("next"), location); if (to.origin === origin) location = to</script>';
  assert.is(
    (
      await result(
        sending(() => html(script)),
        browsers,
      )
    ).outcome.kind,
    'clean',
  );
});

test('a site that takes no values has nothing to look at', async () => {
  assert.is((await result(() => html('hello'))).outcome.kind, 'not-applicable');
});

test.run();
