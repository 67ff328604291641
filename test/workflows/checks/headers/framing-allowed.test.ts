import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { framingAllowed } from '../../../../workflows/checks/headers/framing-allowed.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('headers.framing-allowed');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(handler: Handler, browsers?: BrowserPool) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, framingAllowed, browsers ? { browsers } : {});
  } finally {
    await site.close();
  }
}

const form = '<form method="post" action="/login"><input name="user"><input name="password" type="password"></form>';
const signIn =
  (headers: Record<string, string | string[]>, head = ''): Handler =>
  ({ path }) => {
    if (path === '/') return html('<a href="/sign-in">Sign in</a>');
    return path === '/sign-in' ? html(head + form, 200, headers) : undefined;
  };

const open: Record<string, Handler> = {
  'says nothing': signIn({}),
  'has a policy that says nothing of frames': signIn({
    'content-security-policy': "script-src 'self'; frame-src 'none'",
  }),
  'only reports': signIn({ 'content-security-policy-report-only': "frame-ancestors 'none'" }),
  'names a site in a way that browsers do not know': signIn({
    'x-frame-options': 'ALLOW-FROM https://partner.example',
  }),
  'forbids it in its markup, where that does not count': signIn(
    {},
    `<meta http-equiv="X-Frame-Options" content="DENY"><meta http-equiv="Content-Security-Policy" content="frame-ancestors 'none'">`,
  ),
};

for (const [what, handler] of firstRows(Object.entries(open), 1)) {
  test(`a page with a form that ${what} is found`, async ({ browsers }) => {
    const found = await result(handler, browsers);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /sign-in']], found.outcome.reason);
  });
}

const closed: Record<string, Handler> = {
  'may be framed by nobody': signIn({ 'x-frame-options': 'DENY' }),
  'may be framed by its own site, in small letters': signIn({ 'X-Frame-Options': 'sameorigin' }),
  'has a policy for frames': signIn({ 'content-security-policy': "default-src 'self'; Frame-Ancestors 'self'" }),
  'has such a policy in the second header': signIn({
    'content-security-policy': ["script-src 'self'", "frame-ancestors 'none'"],
  }),
  'invites every site': signIn({ 'content-security-policy': 'frame-ancestors *' }),
  'looks for a frame by script': signIn(
    {},
    '<script>if (top !== self) document.documentElement.hidden = true;</script>',
  ),
};

for (const [what, handler] of firstRows(Object.entries(closed), 3)) {
  test(`a page that ${what} is clean`, async ({ browsers }) => {
    const found = await result(handler, browsers);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a page whose defence comes only when it is in a frame is refuted by the browser', async ({ browsers }) => {
  const found = await result(({ path, headers }) => {
    if (path !== '/') return undefined;
    return html(form, 200, headers['sec-fetch-dest'] === 'iframe' ? { 'x-frame-options': 'DENY' } : {});
  }, browsers);
  assert.equal([found.outcome.kind, found.outcome.refuted], ['clean', 1]);
});

further(test)('forms on several pages are one finding', async ({ browsers }) => {
  const found = await result(({ path }) => {
    if (path === '/') return html(`<a href="/contact">Contact</a>${form}`);
    return path === '/contact' ? html('<form method="post" action="/send"><input name="text"></form>') : undefined;
  }, browsers);
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 2]);
});

test('a site that only searches has nothing to click for', async ({ browsers }) => {
  const found = await result(() => html('<form action="/"><input name="q"></form>'), browsers);
  assert.is(found.outcome.kind, 'not-applicable');
});

test('without a browser a suspicion is not run, and a defended page is clean', async () => {
  assert.is((await result(signIn({}))).outcome.kind, 'not-run');
  assert.is((await result(signIn({ 'x-frame-options': 'DENY' }))).outcome.kind, 'clean');
});

test.run();
