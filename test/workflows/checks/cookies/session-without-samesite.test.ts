import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { sessionWithoutSamesite } from '../../../../workflows/checks/cookies/session-without-samesite.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('cookies.session-without-samesite');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, tls?: { key: string; cert: string }) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, sessionWithoutSamesite);
  } finally {
    await site.close();
  }
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A site that sets a cookie for visitors who do not have it. */
const setting =
  (name: string, attributes: string, value = () => hex(16)): Handler =>
  ({ cookies }) =>
    html('hello', 200, cookies[name] ? {} : { 'set-cookie': `${name}=${value()}${attributes}` });

const crossing: [string, string, string, Severity][] = [
  ['no SameSite', 'PHPSESSID', '; path=/', Severity.INFO],
  ['a SameSite that browsers do not know', 'JSESSIONID', '; Secure; HttpOnly; SameSite=Yes', Severity.INFO],
  ['an empty SameSite', 'sessionid', '; Secure; HttpOnly; SameSite', Severity.INFO],
  ['SameSite=None', 'connect.sid', '; Path=/; HttpOnly; Secure; SameSite=None', Severity.LOW],
  ['none in small letters and spaces', 'sid', '; HttpOnly ;secure; samesite = none ', Severity.LOW],
];

for (const [what, name, attributes, severity] of crossing) {
  test(`a session cookie with ${what} is found`, async ({ tls }) => {
    const found = await result(setting(name, attributes), tls);
    assert.equal(
      [places(found), found.findings[0]?.severity],
      [[`GET / ${name}`], severity],
      found.outcome.reason || found.outcome.kind,
    );
    assert.not.match(stored(found), /=(?!\[masked)[0-9a-f]{26,}/);
  });
}

const kept: [string, string, string][] = [
  ['SameSite=Lax', 'PHPSESSID', '; path=/; SameSite=Lax'],
  ['strict in small letters', 'JSESSIONID', '; Secure; samesite=strict; HttpOnly'],
  ['a partition of its own under each site', 'sessionid', '; Secure; HttpOnly; SameSite=None; Partitioned'],
];

for (const [what, name, attributes] of kept) {
  test(`a session cookie with ${what} is clean`, async ({ tls }) => {
    const found = await result(setting(name, attributes), tls);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

for (const name of ['auth_verification', 'oauth_login_nonce', 'auth_state', 'ticket_ref']) {
  test(`"${name}", which a login needs from another site, is clean`, async ({ tls }) => {
    const found = await result(setting(name, '; Path=/; HttpOnly; Secure; SameSite=None'), tls);
    assert.equal([found.outcome.kind, found.findings.length, found.facts.length], ['clean', 0, 0]);
  });
}

test('a cookie whose name alone says that it may be of a session is info', async ({ tls }) => {
  const found = await result(setting('customer_auth', '; Path=/; HttpOnly; Secure; SameSite=None'), tls);
  assert.equal([places(found), found.findings[0]?.severity], [['GET / customer_auth'], Severity.INFO]);
});

test('a cookie that no login made is no session that other sites can use', async ({ tls }) => {
  const found = await result(setting('connect.sid', '; Path=/; HttpOnly; Secure; SameSite=None'), tls);
  assert.equal([found.outcome.kind, found.facts], ['found', []]);
});

test('a session cookie with SameSite=None and without Secure, which browsers refuse, is clean', async () => {
  assert.is((await result(setting('PHPSESSID', '; path=/; SameSite=None'))).outcome.kind, 'clean');
});

test('a session cookie of a site on http is found too', async () => {
  assert.equal(places(await result(setting('PHPSESSID', '; path=/'))), ['GET / PHPSESSID']);
});

further(test)('cookies that hold no session, and sessions that are taken away, are clean', async ({ tls }) => {
  for (const handler of [
    setting('theme', '; path=/', () => 'dark'),
    setting('XSRF-TOKEN', '; path=/'),
    setting('PHPSESSID', '; path=/; Max-Age=0', () => 'deleted'),
  ])
    assert.is((await result(handler, tls)).outcome.kind, 'clean');
});

test('a site without cookies has nothing to look at', async ({ tls }) => {
  assert.is((await result(() => html('hello'), tls)).outcome.kind, 'not-applicable');
});

test.run();
