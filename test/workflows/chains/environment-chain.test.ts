import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { envSecret } from '../../../workflows/chains/env-secret.step.ts';
import { forgeSession } from '../../../workflows/chains/forge-session.step.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import { startSite } from '../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../fixtures/token-site.ts';
import { firstRows, further } from '../../support/further.ts';
import { type Audit, check, openAudit, step, stored } from '../checks/harness.ts';

const test = suite('the chain from a file of settings to a session');

const inCookie: TokenDesign = {
  key: strongKey(),
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', role: 'customer' },
  carry: 'cookie',
  verify: (token, own) => own(token),
  isAdmin: ({ role }) => role === 'admin',
};
const inHeader: TokenDesign = {
  ...inCookie,
  header: { alg: 'HS512' },
  claims: { sub: 'ann', is_admin: false },
  carry: 'bearer',
  isAdmin: (claims) => claims.is_admin === true,
};

type Served = {
  /** What the file says of the key. */
  lines: string;
  design?: TokenDesign;
  path?: string;
};

async function onSite<T>({ lines, design = inCookie, path = '/.env' }: Served, work: (audit: Audit) => Promise<T>) {
  const pages = tokenSite(design);
  const file = `APP_ENV=production\nDB_HOST=10.0.0.7\nDB_PASSWORD=m4rble-Stair-19\n${lines}\nLOG_LEVEL=info\n`;
  const server = await startSite((request) =>
    request.path === path ? { headers: { 'content-type': 'text/plain' }, body: file } : pages(request),
  );
  const audit = await openAudit(server.url, { identities: [tokenHolder(design)] });
  try {
    return await work(audit);
  } finally {
    await audit.close();
    await server.close();
  }
}

/** Runs the chain link by link, each on what the one before gave. */
const chain = (served: Served) =>
  onSite(served, async (audit) => {
    const found = await check(audit, environmentFile);
    const leaked = await step(audit, envSecret, found.facts.slice(0, 1));
    const keys = leaked.facts.filter(({ kind }) => kind === 'signing-secret');
    return { found, leaked, keys, forged: await step(audit, forgeSession, keys) };
  });

const kinds = (facts: readonly Fact[]) => facts.map(({ kind }) => kind);

for (const [what, served] of firstRows(
  Object.entries<Served & { key: string }>({
    'a random key': { lines: `JWT_SECRET=${inCookie.key}`, key: inCookie.key },
    'a quoted key with a comment': { lines: `export SESSION_KEY="${inCookie.key}" # since May`, key: inCookie.key },
    'a plain word': {
      lines: 'JWT_SECRET=supersecret',
      key: 'supersecret',
      design: { ...inCookie, key: 'supersecret' },
    },
    'a word under a name that shows nothing, among Windows line ends': {
      lines: "SHOP_SALT_2='under the lamp'\r\nOTHER=none\r",
      key: 'under the lamp',
      design: { ...inHeader, key: 'under the lamp' },
      path: '/.env.production',
    },
    'a key before a comment': {
      lines: 'TOKENS = lamp-post  # rotate',
      key: 'lamp-post',
      design: { ...inHeader, key: 'lamp-post' },
    },
  }),
  1,
)) {
  test(`${what} signs an administrator session`, async () => {
    const { found, leaked, keys, forged } = await chain(served);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.equal(kinds(found.facts), ['environment-file', 'exposed-text']);
    assert.equal(
      keys.map(({ secret }) => secret),
      [served.key],
      leaked.partly?.text,
    );
    assert.equal(kinds(forged.facts), ['session(admin)', 'goal'], forged.partly?.text);
    const proofs = leaked.groups.flatMap(({ places }) => places.map(({ proof }) => JSON.stringify(proof, asText)));
    for (const text of [stored(found), ...proofs]) assert.not.ok(text.includes(served.key));
  });
}

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

for (const [what, served] of firstRows(
  Object.entries<Served>({
    'that is elsewhere': { lines: 'JWT_SECRET=$VAULT_JWT_SECRET' },
    'that looks like one, and signed nothing of ours': { lines: `JWT_SECRET=${strongKey()}` },
    'in a comment': { lines: `# JWT_SECRET=${inCookie.key}` },
  }),
  1,
)) {
  test(`a file with a key ${what} is found, and leads nowhere`, async () => {
    const { found, leaked } = await chain(served);
    assert.equal([found.outcome.kind, leaked.groups.length], ['found', 0]);
  });
}

further(test)('a site that looks the role up itself breaks the chain', async () => {
  const { keys, forged } = await chain({
    lines: `JWT_SECRET=${inCookie.key}`,
    design: { ...inCookie, isAdmin: () => false },
  });
  assert.equal([keys.length, forged.groups.length], [1, 0]);
});

test('a file that is refused breaks the chain', async () => {
  const patched: Served = { lines: `JWT_SECRET=${inCookie.key}`, path: '/not-served' };
  const [kind, facts, groups] = await onSite(patched, async (audit) => {
    const { outcome, facts } = await check(audit, environmentFile);
    const subject = new URL('/.env', audit.context.surface.url).href;
    const stale: Fact = {
      id: 'f',
      kind: 'environment-file',
      subject,
      attributes: {},
      parents: [],
      actionId: 'exposure.environment-file',
    };
    return [outcome.kind, facts, (await step(audit, envSecret, [stale])).groups];
  });
  assert.equal([kind, facts, groups], ['clean', [], []]);
});

test('sessions that are no tokens lead nowhere', async () => {
  const pages = tokenSite(inCookie);
  const server = await startSite((request) =>
    request.path === '/.env'
      ? { body: `APP_KEY=${inCookie.key}\nDB_HOST=10.0.0.7\nDB_PASSWORD=m4rble-Stair-19\n` }
      : pages(request),
  );
  const audit = await openAudit(server.url, {
    identities: [{ name: 'A', cookies: { sid: '8f3b2c19aa01' }, checkPath: '/', marker: 'Account' }],
  });
  const { facts } = await check(audit, environmentFile);
  const leaked = await step(audit, envSecret, facts);
  await audit.close();
  await server.close();
  assert.equal([facts.length, leaked.groups.length], [2, 0]);
});

test.run();
