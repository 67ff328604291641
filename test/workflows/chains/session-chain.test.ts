import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeSession } from '../../../workflows/chains/forge-session.step.ts';
import { gitSourceSecret } from '../../../workflows/chains/git-source-secret.step.ts';
import { gitRepository } from '../../../workflows/checks/exposure/git-repository.check.ts';
import { keysOf, keyThatSigned, parseJwt, signJwt } from '../../../workflows/checks/sessions/jwt.ts';
import { makeRepository, type TestRepository } from '../../fixtures/repository.ts';
import { type Handler, html, json, type Request, startSite } from '../../fixtures/site.ts';
import { firstRows, further } from '../../support/further.ts';
import { check, openAudit, step, type TestIdentity } from '../checks/harness.ts';

const test = suite('the chain from a repository to a session');

type Claims = Record<string, unknown>;

/** How a site keeps its key, carries its tokens, and decides who administrates. */
type Design = {
  key: string;
  commits: Record<string, string>[];
  storage?: 'loose' | 'packed';
  algorithm?: string;
  claims: Claims;
  carry: 'cookie' | 'bearer';
  isAdmin(claims: Claims): boolean;
  adminPath: string;
};

const tokenOf = ({ cookies, headers }: Request) =>
  cookies.token ?? headers.authorization?.replace(/^Bearer /, '') ?? '';

const site =
  (design: Design, repository: TestRepository): Handler =>
  (request) => {
    const { path } = request;
    if (path.startsWith('/.git/')) return repository.serve(path.slice(6));
    const jwt = parseJwt(tokenOf(request));
    const claims = jwt && keyThatSigned(jwt, design.key) ? jwt.claims : undefined;
    if (path === '/') return html('<a href="/me">me</a>');
    if (path === '/me') return claims ? html(`<p>Hello ${String(claims.sub)}</p>`) : html('sign in', 401);
    if (path !== design.adminPath) return undefined;
    if (!claims) return json({ error: 'sign in' }, 401);
    return design.isAdmin(claims)
      ? html('<h1>Customer administration</h1><p>carol@northwind.example</p>')
      : html('no', 403);
  };

function identityOf(design: Design): TestIdentity {
  const token = signJwt(
    { alg: design.algorithm ?? 'HS256', typ: 'JWT' },
    design.claims,
    keysOf(design.key)[0] ?? Buffer.alloc(0),
  );
  return {
    name: 'A',
    checkPath: '/me',
    marker: 'Hello',
    ...(design.carry === 'cookie' ? { cookies: { token } } : { headers: [['Authorization', `Bearer ${token}`]] }),
  };
}

/** Runs the chain link by link, each on what the one before gave. */
async function chain(design: Design) {
  const repository = await makeRepository(design.commits, design.storage);
  const server = await startSite(site(design, repository));
  const audit = await openAudit(server.url, { identities: [identityOf(design)] });
  try {
    const exposed = await check(audit, gitRepository);
    const leaked = await step(audit, gitSourceSecret, exposed.facts);
    const secrets = leaked.facts.filter(({ kind }) => kind === 'signing-secret');
    const forged = await step(audit, forgeSession, secrets.slice(0, 1));
    return { exposed, leaked, secrets, forged };
  } finally {
    await audit.close();
    await server.close();
    await repository.remove();
  }
}

const key = () => randomBytes(24).toString('base64url');

const designs: Record<string, Design> = {
  'an Express shop with its key in .env and a role in a cookie': (() => {
    const secret = key();
    return {
      key: secret,
      commits: [
        { '.env': `PORT=3000\nJWT_SECRET=${secret}\n`, 'server.js': 'app.get("/admin", requireRole("admin"))' },
      ],
      claims: { sub: 'ann', role: 'customer' },
      carry: 'cookie' as const,
      isAdmin: (claims: Claims) => claims.role === 'admin',
      adminPath: '/admin',
    };
  })(),
  'a Flask service with its key in a packed module, lists of roles and HS512 bearer tokens': (() => {
    const secret = key();
    return {
      key: secret,
      storage: 'packed' as const,
      commits: [
        {
          'service/settings.py': `DEBUG = False\nSECRET_KEY = "${secret}"\n`,
          'service/routes.py': '@bp.route("/ops/staff-area")\ndef area(): ...\n',
        },
      ],
      algorithm: 'HS512',
      claims: { sub: 7, roles: ['ROLE_USER'], exp: Math.floor(Date.now() / 1_000) + 120 },
      carry: 'bearer' as const,
      isAdmin: (claims: Claims) => Array.isArray(claims.roles) && claims.roles.includes('ROLE_ADMIN'),
      adminPath: '/ops/staff-area',
    };
  })(),
  'a service whose key was removed in a later commit, with a flag': (() => {
    const secret = key();
    return {
      key: secret,
      commits: [
        { 'src/auth.ts': `const token = jwt.sign(payload, '${secret}', { expiresIn: '1h' });` },
        { 'src/auth.ts': 'const token = jwt.sign(payload, process.env.TOKEN_KEY);' },
      ],
      claims: { sub: 'ann', is_admin: false, aud: 'shop' },
      carry: 'cookie' as const,
      isAdmin: (claims: Claims) => claims.is_admin === true && claims.aud === 'shop',
      adminPath: '/api/admin/users',
    };
  })(),
};

for (const [what, design] of firstRows(Object.entries(designs), 1)) {
  test(`${what} is taken over from its repository`, async () => {
    const { exposed, leaked, secrets, forged } = await chain(design);
    assert.is(exposed.outcome.kind, 'found');
    assert.equal(
      secrets.map(({ secret }) => secret),
      [design.key],
      leaked.partly?.text,
    );
    assert.equal(
      forged.facts.map(({ kind }) => kind),
      ['session(admin)', 'goal'],
      forged.partly?.text,
    );
    assert.is(new URL(forged.groups[0]?.places[0].candidate.location.url ?? '').pathname, design.adminPath);
  });

  further(test)(`no proof about ${what} holds its key, a token or a mail address`, async () => {
    const { leaked, forged } = await chain(design);
    for (const group of [...leaked.groups, ...forged.groups])
      for (const { proof } of group.places) {
        const kept = JSON.stringify(proof, (_name, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        assert.not.ok(kept.includes(design.key));
        assert.not.match(kept, /eyJ[\w-]+\.|@northwind/);
      }
  });
}

const [first] = Object.values(designs);

further(test)('a site that looks the role up itself gives no session', async () => {
  if (!first) throw new Error('no design');
  const { secrets, forged } = await chain({ ...first, isAdmin: () => false });
  assert.equal([secrets.length, forged.groups.length], [1, 0]);
});

further(test)('a key that signs something else gives no session', async () => {
  if (!first) throw new Error('no design');
  const other = { ...first, key: key() };
  const { secrets, forged } = await chain(other);
  assert.equal([secrets.length, forged.groups.length], [1, 0]);
});

further(test)('a page that every user may see is no administration', async () => {
  if (!first) throw new Error('no design');
  const { forged } = await chain({ ...first, isAdmin: () => true });
  assert.is(forged.groups.length, 0);
});

test('a repository without a key gives no secret', async () => {
  if (!first) throw new Error('no design');
  const commits = [
    {
      '.env': 'JWT_SECRET=change-me-please-now\nSESSION_KEY=$SESSION_KEY_OF_HOST_7\n',
      'config/app.js': 'module.exports = { secret: process.env.JWT_SECRET, jwtSecret: "your-secret-goes-here" };',
      README: 'The token secret is made with openssl rand.',
      'test/auth.test.js': `const secret = "${key()}";`,
    },
  ];
  const { leaked } = await chain({ ...first, commits });
  assert.equal([leaked.groups.length, leaked.facts.length], [0, 0]);
});

test.run();
