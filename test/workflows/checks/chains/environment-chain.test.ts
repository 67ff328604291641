import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeSession } from '../../../../workflows/checks/chains/forge-session.ts';
import { environmentFile } from '../../../../workflows/checks/standard/exposure/environment-file.ts';
import { startSite } from '../../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../../fixtures/token-site.ts';
import { check, openAudit, step, stored } from '../harness.ts';

const test = suite('the chain from a file of settings to a session');

const design: TokenDesign = {
  key: strongKey(),
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', role: 'customer' },
  carry: 'cookie',
  verify: (token, own) => own(token),
  isAdmin: ({ role }) => role === 'admin',
};

/** @param line what the file says of the key */
async function chain(line: string, site: TokenDesign = design) {
  const pages = tokenSite(site);
  const file = `APP_ENV=production\nDB_HOST=10.0.0.7\nDB_PASSWORD=m4rble-Stair-19\n${line}\n`;
  const server = await startSite((request) =>
    request.path === '/.env' ? { headers: { 'content-type': 'text/plain' }, body: file } : pages(request),
  );
  const audit = await openAudit(server.url, { identities: [tokenHolder(site)] });
  try {
    const found = await check(audit, environmentFile);
    const keys = found.facts.filter(({ kind }) => kind === 'signing-secret');
    return { found, keys, forged: await step(audit, forgeSession, keys.slice(0, 1)) };
  } finally {
    await audit.close();
    await server.close();
  }
}

for (const line of [`JWT_SECRET=${design.key}`, `export SESSION_KEY="${design.key}"`]) {
  test(`a key that is set by ${line.replace(design.key, '…')} signs an administrator session`, async () => {
    const { found, keys, forged } = await chain(line);
    assert.equal([found.outcome.kind, keys.length], ['found', 1], found.outcome.reason);
    assert.equal(
      forged.facts.map(({ kind }) => kind),
      ['session(admin)', 'goal'],
      forged.partly,
    );
    assert.not.ok(stored(found).includes(design.key));
  });
}

test('a file without such a key is found, and leads nowhere', async () => {
  const { found, keys } = await chain('JWT_SECRET=$VAULT_JWT_SECRET');
  assert.equal([found.outcome.kind, keys.length], ['found', 0]);
});

test('a key that the site no longer uses leads nowhere', async () => {
  const { keys, forged } = await chain(`JWT_SECRET=${strongKey()}`);
  assert.equal([keys.length, forged.groups.length], [1, 0]);
});

test.run();
