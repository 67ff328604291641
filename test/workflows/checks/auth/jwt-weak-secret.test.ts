import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeSession } from '../../../../workflows/chains/forge-session.step.ts';
import { jwtWeakSecret } from '../../../../workflows/checks/auth/jwt-weak-secret.check.ts';
import { startSite } from '../../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../../fixtures/token-site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, step, stored } from '../harness.ts';

const test = suite('auth.jwt-weak-secret');

const cookie: TokenDesign = {
  key: 'supersecret123',
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', role: 'customer', iat: 1_700_000_000 },
  carry: 'cookie',
  verify: (token, own) => own(token),
  isAdmin: ({ role }) => role === 'admin',
};
const bearer: TokenDesign = { ...cookie, key: 'Shop-secret-key', header: { alg: 'HS512' }, carry: 'bearer' };

async function result(design: TokenDesign) {
  const site = await startSite(tokenSite(design));
  const audit = await openAudit(site.url, { identities: [tokenHolder(design)] });
  try {
    const before = site.requests.length;
    const found = await check(audit, jwtWeakSecret);
    const requests = site.requests.length - before;
    return { ...found, requests, forged: await step(audit, forgeSession, found.facts) };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [how, design] of firstRows(
  Object.entries({
    'a common word and digits, in a cookie': cookie,
    'the name of the host, in a header': bearer,
    'a word of every day, behind a scheme in a cookie': { ...cookie, key: 'Pineapple2024', prefix: 'Bearer%20' },
    'empty, in a header': { ...bearer, key: '' },
  }),
  1,
)) {
  test(`a key that is ${how}, is found, and signs an administrator session`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.location?.parameter, design.carry === 'cookie' ? 'token' : 'Authorization');
    assert.equal(
      found.forged.facts.map(({ kind }) => kind),
      ['session(admin)', 'goal'],
      found.forged.partly?.text,
    );
  });

  further(test)(`a random key in place of ${how}, is clean without a request`, async () => {
    const found = await result({ ...design, key: strongKey() });
    assert.equal([found.outcome.kind, found.outcome.reason, found.requests], ['clean', '', 0]);
  });
}

test('a token that is not looked at proves nothing', async () => {
  const found = await result({ ...cookie, verify: () => ({ sub: 'everybody' }) });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
});

test('a site that knows each of its tokens is clean: a new one is worth nothing', async () => {
  let first: string | undefined;
  const found = await result({
    ...cookie,
    verify: (token, own) => {
      first ??= token === '' ? undefined : token;
      return token === first ? own(token) : undefined;
    },
  });
  assert.is(found.outcome.kind, 'clean');
});

further(test)('of users whose tokens say the same of their rights, one is tried with a higher role', async () => {
  const closed: TokenDesign = { ...cookie, isAdmin: () => false };
  const holders = (...others: TokenDesign['claims'][]) =>
    [closed.claims, ...others].map((claims, index) => ({ ...tokenHolder({ ...closed, claims }), name: `U${index}` }));
  const triesOf = async (identities: ReturnType<typeof holders>): Promise<number> => {
    const site = await startSite(tokenSite(closed));
    const audit = await openAudit(site.url, { identities });
    try {
      const { facts } = await check(audit, jwtWeakSecret);
      const before = site.requests.length;
      await step(audit, forgeSession, facts);
      return site.requests.slice(before).filter((request) => request === 'GET /admin').length;
    } finally {
      await audit.close();
      await site.close();
    }
  };
  const alone = await triesOf(holders());
  assert.ok(alone > 1);
  assert.is(await triesOf(holders({ ...closed.claims, sub: 'ben' })), alone);
  assert.ok((await triesOf(holders({ ...closed.claims, sub: 'ben', role: 'Clerk' }))) > alone);
});

test('sessions that are no tokens are not applicable', async () => {
  const site = await startSite(tokenSite(cookie));
  const audit = await openAudit(site.url, {
    identities: [{ name: 'A', cookies: { sid: '8f3b2c19aa01' }, checkPath: '/', marker: 'Account' }],
  });
  const { outcome } = await check(audit, jwtWeakSecret);
  await audit.close();
  await site.close();
  assert.is(outcome.kind, 'not-applicable');
});

test('nothing that is stored holds the key or a token', async () => {
  const found = await result(cookie);
  assert.is(found.findings.length, 1);
  assert.not.match(stored(found), /supersecret|eyJ[\w-]+\.eyJ/);
});

test.run();
