import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jwtExpired } from '../../../../workflows/checks/auth/jwt-expired.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../../fixtures/token-site.ts';
import { firstRows } from '../../../support/further.ts';
import { checkAgain, openAudit, places, stored } from '../harness.ts';

const test = suite('auth.jwt-expired');

const nowSeconds = Math.floor(Date.now() / 1000);
const expired = (minutes: number): TokenDesign => ({
  key: strongKey(),
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', iat: nowSeconds - 7_200, exp: nowSeconds - minutes * 60 },
  carry: 'cookie',
  verify: (token, own) => own(token),
});

async function result(design: TokenDesign, site: Handler = tokenSite(design), also: Record<string, string> = {}) {
  const started = await startSite(site);
  const holder = tokenHolder(design);
  const identities = [{ ...holder, ...(holder.cookies && { cookies: { ...holder.cookies, ...also } }) }];
  const audit = await openAudit(started.url, { identities });
  try {
    return await checkAgain(audit, jwtExpired, 'A');
  } finally {
    await audit.close();
    await started.close();
  }
}

const accepted: Record<string, TokenDesign> = {
  'in a cookie': expired(20),
  'in a header': { ...expired(20), carry: 'bearer' },
  'with another signature': { ...expired(90), header: { alg: 'RS256' }, carry: 'bearer' },
};
for (const [where, design] of firstRows(Object.entries(accepted), 2))
  test(`a token ${where} that opens the account after its end is found`, async () => {
    const found = await result(design);
    const parameter = design.carry === 'cookie' ? 'token' : 'Authorization';
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET /me ${parameter}`]], found.outcome.reason);
    assert.not.match(stored(found), /eyJ/);
  });

/** Gives whoever has the session a token that is valid, and shows the page with it. */
const renewing =
  (design: TokenDesign): Handler =>
  (request) =>
    request.path === '/me' && request.cookies.refresh === 'r71x90q'
      ? html('<p>Hello ann</p>')
      : tokenSite({ ...design, verify: () => undefined })(request);

const clean: Record<string, () => ReturnType<typeof result>> = {
  'is accepted for the minutes by which clocks may differ': () => result(expired(4)),
  'has not expired': () => result(expired(-30)),
  'names no end': () => result({ ...expired(20), claims: { sub: 'ann' } }),
  'is renewed by another part of the session': () => result(expired(20), renewing(expired(20)), { refresh: 'r71x90q' }),
  'nobody needs for the page': () => result({ ...expired(20), verify: () => ({ sub: 'ann' }) }),
};
for (const [what, run] of firstRows(Object.entries(clean), 3))
  test(`a token that ${what} is no finding`, async () => {
    const found = await run();
    assert.equal([found.findings.length, ['clean', 'not-applicable'].includes(found.outcome.kind)], [0, true]);
  });

test.run();
