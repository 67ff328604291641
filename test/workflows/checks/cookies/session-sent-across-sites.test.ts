import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { sessionSentAcrossSites } from '../../../../workflows/checks/cookies/session-sent-across-sites.check.ts';
import { sessionWithoutSamesite } from '../../../../workflows/checks/cookies/session-without-samesite.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { apiShop, type DataDesign, dataUsers, portal, startDataSite } from '../../../fixtures/data-site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('cookies.session-sent-across-sites');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool, design: DataDesign) {
  const site = await startDataSite(design);
  const audit = await openAudit(site.url, { browsers, identities: dataUsers(design) });
  try {
    const withUsers = { ...audit, context: { ...audit.context, hasUsers: true } };
    const standard = await check(withUsers, sessionWithoutSamesite);
    return { ...(await check(audit, sessionSentAcrossSites)), standard };
  } finally {
    await audit.close();
    await site.close();
  }
}

/** The session stays in the site; a widget has a cookie of its own, for the API alone. */
const widget: DataDesign = {
  ...apiShop,
  cookie: { name: 'sid', attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' },
  more: ['theme=dark; Path=/; Secure; SameSite=None', 'embed=$id; Path=/api/; HttpOnly; Secure; SameSite=None'],
  opensWith: ({ sid, embed }) => sid ?? embed,
};
const patchedWidget = (attributes: string): DataDesign => ({
  ...widget,
  more: [`embed=$id; Path=/api/; ${attributes}`],
});
const session = (design: DataDesign, attributes: string): DataDesign => ({
  ...design,
  cookie: { ...design.cookie, attributes },
});

for (const [what, design, cookie, path] of firstRows(
  [
    ['the session of a shop', apiShop, 'connect.sid', '/account'],
    ['the session of a portal', portal, 'PHPSESSID', '/account'],
    ['the cookie of a widget', widget, 'embed', '/api/me'],
  ] as const,
  1,
)) {
  test(`${what} that every site may send is found`, async ({ browsers }) => {
    const found = await result(browsers, design);
    assert.equal(places(found), [`GET ${path} ${cookie}`], found.outcome.reason);
    assert.equal(
      found.facts.map(({ kind, subject, attributes }) => [kind, new URL(subject).hostname, attributes]),
      [['cross-site-session', 'shop.localhost', { cookies: cookie }]],
    );
    assert.is(found.standard.findings.length, 0);
    assert.not.match(stored(found), /northwind|Harbour|s[0-9a-f]{36}|correct-horse/);
  });
}

for (const attributes of firstRows(
  [
    'Path=/; Secure; SameSite=Lax',
    'Path=/; Secure; SameSite=Strict',
    'Path=/; Secure; SameSite=None; Partitioned',
    'Path=/; Secure',
    'Path=/; SameSite=None',
  ],
  2,
)) {
  further(test)(`a session with "${attributes}" is clean`, async ({ browsers }) => {
    for (const design of [apiShop, portal])
      assert.equal((await result(browsers, session(design, attributes))).outcome.kind, 'clean');
  });

  test(`the cookie of a widget with "${attributes}" is clean`, async ({ browsers }) => {
    assert.is((await result(browsers, patchedWidget(attributes.replace('Path=/; ', '')))).outcome.kind, 'clean');
  });
}

further(test)('a cookie of the widget that is nothing without the session is clean', async ({ browsers }) => {
  const found = await result(browsers, { ...widget, opensWith: ({ sid }) => sid });
  assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
});

further(test)(
  'a session that every visitor gets is a setting from outside, and shown with that of a login',
  async ({ browsers }) => {
    const found = await result(browsers, { ...apiShop, greetsVisitors: true });
    assert.equal(places(found), ['GET /account connect.sid']);
    assert.equal(
      found.facts.map(({ kind, attributes }) => [kind, attributes]),
      [['cross-site-session', { cookies: 'connect.sid' }]],
    );
    assert.equal(
      [places(found.standard), found.standard.findings[0]?.severity],
      [['GET / connect.sid'], Severity.INFO],
    );
    assert.equal(found.standard.facts, []);
  },
);

further(test)('without a login or a browser it is not run', async ({ browsers }) => {
  const site = await startDataSite(apiShop);
  for (const options of [{ browsers }, { identities: dataUsers(apiShop) }]) {
    const audit = await openAudit(site.url, options);
    assert.is((await check(audit, sessionSentAcrossSites)).outcome.kind, 'not-run');
    await audit.close();
  }
  await site.close();
});

test.run();
