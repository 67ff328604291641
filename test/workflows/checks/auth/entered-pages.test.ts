import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultCredentials } from '../../../../workflows/checks/auth/default-credentials.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('pages that a login leads to');

const form =
  '<form method=post action=/login><input name=username><input type=password name=password><button>Log in</button></form>';
const session = 'wallet-of-test-91c2';
const away = { status: 302, headers: { location: '/login' } };

/** A login that leads to a page of the user's own, and what that page has. */
const site =
  (password: string, page: string, own = '/wallet'): Handler =>
  ({ path, method, body, cookies, query }) => {
    if (path === '/') return html('<h1>Gifts</h1><a href="/login">Log in</a><a href="/wallet">Wallet</a>');
    if (path === '/login' && method === 'GET') return html(form);
    if (path === '/login') {
      const sent = new URLSearchParams(body);
      const isRight = sent.get('username') === 'test' && sent.get('password') === password;
      return isRight
        ? { status: 302, headers: { location: '/wallet', 'set-cookie': `sid=${session}; Path=/` } }
        : html(`<p>Sorry</p>${form}`);
    }
    if (path !== '/wallet' && path !== '/own') return undefined;
    if (cookies.sid !== session) return away;
    if (own !== path && `${path}?${query}` !== own) return { status: 302, headers: { location: own } };
    return html(page);
  };

const voucher =
  '<p>Balance: 0</p><form method=post action=/redeem><input name=code placeholder="Code"><button>Redeem</button></form>';
const secondFactor =
  '<p>Enter your code</p><form method=post action=/verify><input name=code><button>Verify</button></form>';

for (const [what, handler, count] of [
  ['one with a field for the code of a voucher', site('test', voucher), 1],
  ['one that leads on to an address of its own', site('test', '<p>Balance: 0</p>', '/own?id=7f3a91'), 1],
  ['the same where the password is another one', site('k2-Fjord', voucher), 0],
  ['the same where nobody is let in', site('k2-Fjord', '<p>Balance: 0</p>', '/own?id=7f3a91'), 0],
  ['one that asks for a second factor', site('test', secondFactor), 0],
] satisfies [string, Handler, number][])
  test(`${what} shows ${count === 0 ? 'no entrance' : 'who was let in'}`, async () => {
    const started = await startSite(handler);
    try {
      const { findings, outcome } = await runOn(started.url, defaultCredentials, { depth: 'deep' });
      assert.is(findings.length, count, outcome.reason);
    } finally {
      await started.close();
    }
  });

/** A login of an interface that answers with who is there, or asks for more first, and gives a cookie with it. */
const byJson =
  (password: string, answer: object): Handler =>
  ({ path, method, body }) => {
    if (path === '/openapi.json')
      return json({
        openapi: '3.0.0',
        info: { title: 'People', version: '1' },
        paths: {
          '/api/login': {
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: { username: { type: 'string' }, password: { type: 'string' } },
                    },
                  },
                },
              },
              responses: { 200: { description: 'In' } },
            },
          },
        },
      });
    if (path === '/') return html('<h1>People</h1><p>Trial: test / test</p><a href="/openapi.json">Interface</a>');
    if (path !== '/api/login' || method !== 'POST') return undefined;
    const sent = JSON.parse(body || '{}');
    if (sent.username !== 'test' || sent.password !== password) return json({ error: 'Invalid' }, 401);
    return { ...json(answer), headers: { 'content-type': 'application/json', 'set-cookie': `sid=${session}; Path=/` } };
  };

for (const [what, handler, count] of [
  ['who is there', byJson('test', { id: 7, name: 'Tess' }), 1],
  ['that a code is asked for', byJson('test', { needs: 'otp', id: 7 }), 0],
  ['a refusal', byJson('k2-Fjord', { id: 7, name: 'Tess' }), 0],
] satisfies [string, Handler, number][])
  further(test)(
    `an interface that answers ${what} shows ${count === 0 ? 'no entrance' : 'who was let in'}`,
    async () => {
      const started = await startSite(handler);
      try {
        const { findings, outcome } = await runOn(started.url, defaultCredentials, { depth: 'deep' });
        assert.is(findings.length, count, outcome.reason);
      } finally {
        await started.close();
      }
    },
  );

test.run();
