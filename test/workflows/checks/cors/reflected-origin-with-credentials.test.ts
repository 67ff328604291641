import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reflectedOriginWithCredentials } from '../../../../workflows/checks/cors/reflected-origin-with-credentials.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import {
  apiShop,
  type DataDesign,
  dataUsers,
  everyOrigin,
  portal,
  startDataSite,
} from '../../../fixtures/data-site.ts';
import { firstRows, further, usualRows } from '../../../support/further.ts';
import { places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('cors.reflected-origin-with-credentials');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool, design: DataDesign, users = dataUsers(design)) {
  const site = await startDataSite(design);
  try {
    return await runOn(site.url, reflectedOriginWithCredentials, { browsers, identities: users });
  } finally {
    await site.close();
  }
}

const lax = (design: DataDesign): DataDesign => ({
  ...design,
  cookie: { ...design.cookie, attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' },
});

const usualAnswers = ['origins of the own site'];

const designs = [
  ['an API for a front end', apiShop, ['/api/me']],
  ['a portal’s pages', portal, ['/account', '/account/card.php']],
] as const;

for (const [what, design, readable] of firstRows(designs, 1)) {
  further(test)(
    `${what} that trusts every origin is found, and read by a page of another site`,
    async ({ browsers }) => {
      const found = await result(browsers, design);
      assert.equal(places(found), [`GET ${readable[0]} Origin`], found.outcome.reason);
      assert.equal(
        found.facts.map(({ kind, subject, attributes }) => [kind, new URL(subject).pathname, attributes]),
        readable.map((path) => ['cross-origin-read', path, { identity: 'A' }]),
      );
      assert.is(found.findings[0]?.cvss?.score, 6.5);
      assert.match(stored(found), /https:\/\/‹nonce›\.invalid\//);
      assert.match(stored(found), /withCredentials = true/);
      assert.not.match(stored(found), /northwind|Harbour|s[0-9a-f]{36}|correct-horse/);
    },
  );

  test(`${what} whose session stays in the site is found with less weight, and read by a sibling`, async ({
    browsers,
  }) => {
    const found = await result(browsers, lax(design));
    assert.equal(places(found), [`GET ${readable[0]} Origin`], found.outcome.reason);
    assert.is(found.findings[0]?.cvss?.score, 5.3);
    assert.match(stored(found), /https:\/\/‹nonce›\.shop\.localhost\//);
  });

  const answers: Record<string, DataDesign['allow']> = {
    'no header': () => ({ vary: 'Origin' }),
    'no credentials': (request) => ({ 'access-control-allow-origin': request.headers.origin ?? '' }),
    'credentials for the wildcard, which browsers refuse': () => ({
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
    }),
    'the origin "null" alone': () => ({
      'access-control-allow-origin': 'null',
      'access-control-allow-credentials': 'true',
    }),
    'a list of partners': (request) =>
      request.headers.origin === 'https://partner.example' ? everyOrigin(request) : { vary: 'Origin' },
    'origins of the own site': (request) =>
      /^https:\/\/(?:[a-z0-9-]+\.)?shop\.localhost$/.test(request.headers.origin ?? '') ? everyOrigin(request) : {},
    'an answer to the preflight alone': (request) => (request.method === 'OPTIONS' ? everyOrigin(request) : {}),
  };
  for (const [how, allow] of usualRows(answers, design === apiShop ? usualAnswers : ['no credentials'])) {
    test(`${what} with ${how} is clean`, async ({ browsers }) => {
      const found = await result(browsers, { ...design, allow });
      assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    });
  }
}

further(test)('of a host that has no names below it, another port is the sibling that reads', async ({ browsers }) => {
  const ofOneHost = async (design: DataDesign) => {
    const site = await startDataSite(design);
    try {
      const url = site.url.replace('shop.localhost', 'localhost');
      return await runOn(url, reflectedOriginWithCredentials, {
        ...{ browsers, identities: dataUsers(design), hosts: ['localhost'] },
      });
    } finally {
      await site.close();
    }
  };
  const found = await ofOneHost(lax(apiShop));
  assert.equal(places(found), ['GET /api/me Origin'], found.outcome.reason);
  assert.is(found.findings[0]?.cvss?.score, 5.3);
  assert.match(stored(found), /https:\/\/localhost:65533\//);
  const patched = await ofOneHost({ ...lax(apiShop), allow: () => ({ vary: 'Origin' }) });
  assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
});

const unread: Record<string, NonNullable<DataDesign['data']>> = {
  'public data': () => ({ product: 'Lamp LMP-00417', contact: 'sales@northwind.example' }),
  'what is new with each request': () => ({ id: `request-${Math.random()}`, at: String(Date.now()) }),
  'a token of the session alone': (_person, session) => ({ csrf: `c${session}`, sku: 'LMP-00417' }),
  'what all users of a kind are shown': (person) => person && { plan: 'Standard plan 2024', role: 'customer' },
};

for (const [what, data] of usualRows(unread, ['public data', 'a token of the session alone'])) {
  further(test)(`every origin may read ${what}, which is clean`, async ({ browsers }) => {
    const found = await result(browsers, { ...apiShop, data });
    assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
  });
}

further(test)(
  'with one user alone, what is personal by its form is distinguished from a greeting',
  async ({ browsers }) => {
    const [user] = dataUsers(apiShop);
    const greeting = { ...apiShop, data: () => ({ text: 'Welcome back to the shop' }) };
    const users = user ? [user] : [];
    assert.is((await result(browsers, greeting, users)).outcome.kind, 'clean');
    assert.is((await result(browsers, apiShop, users)).outcome.kind, 'found');
  },
);

further(test)('a session that is no cookie is not applicable: browsers send it for nobody', async ({ browsers }) => {
  const { outcome } = await result(browsers, { ...apiShop, login: 'bearer' });
  assert.is(outcome.kind, 'not-applicable');
});

further(test)('without a login or a browser it is not run', async ({ browsers }) => {
  const site = await startDataSite(apiShop);
  try {
    assert.is((await runOn(site.url, reflectedOriginWithCredentials, { browsers })).outcome.kind, 'not-run');
    const { outcome } = await runOn(site.url, reflectedOriginWithCredentials, { identities: dataUsers(apiShop) });
    assert.equal([outcome.kind, /browser/.test(outcome.reason)], ['not-run', true]);
  } finally {
    await site.close();
  }
});

test.run();
