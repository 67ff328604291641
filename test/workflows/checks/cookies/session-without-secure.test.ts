import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionWithoutSecure } from '../../../../workflows/checks/cookies/session-without-secure.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('cookies.session-without-secure');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, tls?: { key: string; cert: string }) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, sessionWithoutSecure);
  } finally {
    await site.close();
  }
}

/** A site that sets a cookie for visitors who do not have it. */
const setting =
  (name: string, value: () => string, attributes: string): Handler =>
  ({ cookies }) =>
    html('hello', 200, cookies[name] ? {} : { 'set-cookie': `${name}=${value()}${attributes}` });

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const jwt = () => {
  const body = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"guest"}').toString('base64url')}`;
  return `${body}.${createHmac('sha256', 'k').update(body).digest('base64url')}`;
};

const sessions: [string, string, () => string, string][] = [
  ['PHP', 'PHPSESSID', () => hex(13), '; path=/'],
  [
    'Express',
    'connect.sid',
    () => `s%3A${randomBytes(24).toString('base64url')}.${encodeURIComponent(randomBytes(32).toString('base64'))}`,
    '; Path=/; HttpOnly',
  ],
  ['Java', 'JSESSIONID', () => hex(16).toUpperCase(), '; Path=/app; HttpOnly'],
  [
    'Rails',
    '_shop_session',
    () => `${randomBytes(60).toString('base64url')}--${hex(20)}`,
    '; path=/; HttpOnly; SameSite=Lax',
  ],
  ['a token', 'access_token', jwt, '; Path=/; HttpOnly; Max-Age=3600'],
  ['a plain name', 'sid', () => hex(16), '; HttpOnly'],
];

for (const [what, name, value, attributes] of firstRows(sessions, 2)) {
  test(`a session cookie of ${what} without Secure is found`, async ({ tls }) => {
    const found = await result(setting(name, value, attributes), tls);
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET / ${name}`]], found.outcome.reason);
    assert.not.match(stored(found), new RegExp(`${name}=(?!\\[masked)[0-9a-f]{8}`));
  });
  test(`a session cookie of ${what} with Secure is clean`, async ({ tls }) => {
    assert.is((await result(setting(name, value, `${attributes}; secure`), tls)).outcome.kind, 'clean');
  });
}

test('a session of an unknown name is recognised by how the server treats it', async ({ tls }) => {
  const issued = new Set<string>();
  const found = await result(({ cookies }) => {
    if (cookies.shopkeeper && issued.has(cookies.shopkeeper)) return html('welcome back');
    const id = hex(16);
    issued.add(id);
    return html('hello', 200, { 'set-cookie': `shopkeeper=${id}; HttpOnly; Path=/` });
  }, tls);
  assert.equal(places(found), ['GET / shopkeeper']);
});

const others: [string, string, () => string, string][] = [
  ['analytics', '_ga', () => `GA1.2.${hex(8)}.1700000000`, '; path=/'],
  ['a load balancer', 'AWSALB', () => randomBytes(64).toString('base64'), '; path=/'],
  ['a CSRF token', 'XSRF-TOKEN', () => hex(32), '; path=/'],
  ['a language', 'lang', () => 'en-GB', '; path=/'],
  ['a cart of an unknown name that any value will do for', 'basket_ref', () => randomUUID(), '; path=/'],
  ['a login that goes on elsewhere', 'auth_verification', () => hex(16), '; path=/; HttpOnly'],
  ['a nonce of a login', 'oauth_login_nonce', () => hex(16), '; path=/; HttpOnly'],
  ['a reference to a ticket', 'ticket_ref', () => hex(16), '; path=/; HttpOnly'],
  ['a session that is taken away', 'PHPSESSID', () => 'deleted', '; path=/; Max-Age=0'],
  ['a session without a value to guess', 'session', () => 'guest', '; path=/; HttpOnly'],
  ['a session that browsers refuse', 'sessionid', () => hex(16), '; path=/; SameSite=None; HttpOnly'],
];

for (const [what, name, value, attributes] of firstRows(others, 4)) {
  test(`a cookie of ${what} is clean`, async ({ tls }) => {
    const found = await result(setting(name, value, attributes), tls);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a site on http only is another weakness', async () => {
  const found = await result(setting('PHPSESSID', () => hex(13), '; path=/'));
  assert.is(found.outcome.kind, 'not-applicable');
});

const id = hex(16);
for (const [kind, what, lines] of firstRows(
  [
    ['found', 'a value in quotation marks', [`JSESSIONID="${id}"; Version=1; Path=/; HttpOnly`]],
    ['found', 'a date that is none', [`JSESSIONID=${id}; Path=/; Expires=0`]],
    [
      'found',
      'Secure first, and without it in the last line',
      [`JSESSIONID=${id}; Secure`, `JSESSIONID=${id}; Path=/`],
    ],
    ['clean', 'Secure in the last line of its name', [`JSESSIONID=${id}; Path=/`, `JSESSIONID=${id}; Secure`]],
    [
      'clean',
      'a last line that takes it away',
      [`JSESSIONID=${id}`, 'JSESSIONID=gone; Expires=Thu, 01-Jan-1970 00:00:10 GMT'],
    ],
    ['clean', 'a name that balancers use', [`ApplicationGatewayAffinity=${id}; Path=/; HttpOnly`]],
    ['clean', 'the domain of somebody else', [`JSESSIONID=${id}; Domain=elsewhere.example`]],
    ['clean', 'Partitioned alone, which browsers refuse', [`JSESSIONID=${id}; Partitioned`]],
  ] as const,
  3,
)) {
  test(`a session with ${what} is ${kind}`, async ({ tls }) => {
    const found = await result(() => html('hello', 200, { 'set-cookie': [...lines] }), tls);
    assert.is(found.outcome.kind, kind, found.outcome.reason);
  });
}

test.run();
