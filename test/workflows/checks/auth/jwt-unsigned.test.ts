import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { jwtUnsigned } from '../../../../workflows/checks/auth/jwt-unsigned.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import {
  claimsIn,
  headerOf,
  strongKey,
  type TokenDesign,
  tokenHolder,
  tokenSite,
} from '../../../fixtures/token-site.ts';
import { firstRows } from '../../../support/further.ts';
import { runOn, stored } from '../harness.ts';

const test = suite('auth.jwt-unsigned');

const sound: TokenDesign = {
  key: strongKey(),
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', role: 'customer' },
  carry: 'cookie',
  verify: (token, own) => own(token),
};
const asymmetric: TokenDesign = { ...sound, header: { alg: 'RS256', kid: '1' }, carry: 'bearer' };

async function result(design: TokenDesign) {
  const site = await startSite(tokenSite(design));
  try {
    return await runOn(site.url, jwtUnsigned, { identities: [tokenHolder(design)] });
  } finally {
    await site.close();
  }
}

const isWellFormed = (token: string) => token.split('.').length === 3 && claimsIn(token) !== undefined;

const vulnerable: Record<string, TokenDesign> = {
  'that decodes without verifying': { ...sound, verify: (token) => claimsIn(token) },
  'that takes "none" for an algorithm': {
    ...asymmetric,
    verify: (token, own) => (isWellFormed(token) && headerOf(token).alg === 'none' ? claimsIn(token) : own(token)),
  },
  'that refuses "none" in one spelling': {
    ...sound,
    verify: (token, own) =>
      isWellFormed(token) && headerOf(token).alg !== 'none' && /^none$/i.test(String(headerOf(token).alg))
        ? claimsIn(token)
        : own(token),
  },
  'that verifies a signature if there is one': {
    ...asymmetric,
    verify: (token, own) => (isWellFormed(token) && token.endsWith('.') ? claimsIn(token) : own(token)),
  },
};

vulnerable['whose cookie has a scheme before the token'] = {
  ...sound,
  prefix: 'Bearer%20',
  verify: (token) => (isWellFormed(token) ? claimsIn(token) : undefined),
};
vulnerable['that signs nothing'] = {
  ...sound,
  header: { alg: 'none' },
  verify: (token) => (isWellFormed(token) ? claimsIn(token) : undefined),
};

for (const [which, design] of firstRows(Object.entries(vulnerable), 2)) {
  test(`a site ${which} is found`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.not.match(stored(found), /eyJ[\w-]+\.eyJ/);
  });
}

/** Two users, each with a text of their own, on a site that takes its users from "sub" by `shown`. */
async function resultOfTwo(shown: (claims: Record<string, unknown>) => unknown) {
  const design: TokenDesign = { ...sound, verify: (token) => claimsIn(token) };
  const bob = { ...design, claims: { sub: 'bob', role: 'customer' } };
  const site = await startSite((request) => {
    const claims = claimsIn(request.cookies.token ?? '');
    if (request.path !== '/me') return tokenSite(design)(request);
    return claims ? html(`<p>Hello ${String(shown(claims))}</p>`) : html('sign in', 401);
  });
  const holder = (of: TokenDesign, name: string) => ({
    ...tokenHolder(of),
    name,
    marker: `Hello ${String(of.claims.sub)}`,
  });
  try {
    return await runOn(site.url, jwtUnsigned, { identities: [holder(design, 'A'), holder(bob, 'B')] });
  } finally {
    await site.close();
  }
}

test('a token with the name of another user that opens their account is critical', async () => {
  const found = await resultOfTwo(({ sub }) => sub);
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.CRITICAL], found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /opened the account of "B"/);
});

test('without another user it is not shown what a changed claim opens, and the finding is medium', async () => {
  const found = await result({ ...sound, verify: (token) => claimsIn(token) });
  assert.is(found.findings[0]?.severity, Severity.MEDIUM);
});

for (const [which, design] of firstRows(
  Object.entries({
    'with an HMAC in a cookie': sound,
    'with RSA in a header': asymmetric,
    'with a scheme before it in a cookie': { ...sound, prefix: 'Bearer%20' },
    'that knows each of its unsigned tokens': { ...sound, header: { alg: 'none' } },
    'whose session is something else than the token': { ...sound, verify: () => ({ sub: 'ann' }) },
  }),
  2,
)) {
  test(`a site that verifies tokens ${which} is clean`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
  });
}

test.run();
