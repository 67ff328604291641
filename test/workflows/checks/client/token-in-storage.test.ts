import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenInStorage } from '../../../../workflows/checks/client/token-in-storage.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { type AppDesign, appUsers, keeper, mirror, publicKey, spa, tokenApp } from '../../../fixtures/token-app.ts';
import { further, usualRows } from '../../../support/further.ts';
import { runOn, stored, type TestIdentity, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('client.token-in-storage');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool | undefined, design: AppDesign, identities = appUsers(design)) {
  const site = await startSite(tokenApp(design));
  try {
    return await runOn(site.url, tokenInStorage, { identities, ...(browsers ? { browsers } : {}) });
  } finally {
    await site.close();
  }
}

const vulnerable: Record<string, [design: AppDesign, entry: string]> = {
  'a bearer token that the app fetches for its API': [keeper, 'auth_token'],
  'a token in JSON that a login by script keeps, sent in a header of its own': [spa, 'sb-shop-auth-token'],
  'the identifier of the session, kept for the tab as JSON': [mirror, 'sid'],
};

for (const [what, [design, entry]] of usualRows(vulnerable, ['a bearer token that the app fetches for its API'])) {
  test(`${what} is found, and nothing that is stored holds it`, async ({ browsers }) => {
    const found = await result(browsers, design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.location?.parameter, entry);
    assert.equal(
      found.facts.map(({ kind, attributes }) => [kind, attributes.identity, attributes.entry]),
      [['stored-token', 'dora', entry]],
    );
    assert.not.match(stored(found), /s[0-9a-f]{32}|t[\w-]{26,}9|correct-horse|dora@northwind/);
  });
}

further(test)(
  'a page that the browser cannot open is named, and keeps the token on another one from nothing',
  async ({ browsers }) => {
    const app = tokenApp(keeper);
    const site = await startSite((request) => {
      if (request.path === '/a')
        return request.headers['sec-fetch-dest'] === undefined
          ? html('<script>localStorage.setItem("seen", document.title)</script>')
          : { closes: true };
      const answer = app(request);
      const isPage = /html/.test(String(answer?.headers?.['content-type']));
      return answer && isPage ? { ...answer, body: `${answer.body}<a href="/a">a</a>` } : answer;
    });
    try {
      const { outcome } = await runOn(site.url, tokenInStorage, { identities: appUsers(keeper), browsers });
      assert.is(outcome.kind, 'found', outcome.reason);
      assert.match(outcome.reason, /\/a was not looked at/);
    } finally {
      await site.close();
    }
  },
);

const clean: Record<string, AppDesign> = {
  'keeps its token in a variable': {
    ...keeper,
    script: `window.kept = await token(); localStorage.setItem('theme', 'dark')`,
  },
  'keeps an identifier for statistics': {
    ...keeper,
    script: `localStorage.setItem('_ga_client', crypto.randomUUID()); localStorage.setItem('visitor', '9f8e7d6c5b4a39281706f5e4d3c2b1a0')`,
  },
  'keeps a key of its public catalogue': {
    ...keeper,
    script: `localStorage.setItem('api_token', '${publicKey}');
      await fetch('/api/lamps', { headers: { authorization: 'Bearer ${publicKey}' } })`,
  },
  'keeps a token that is worth nothing without the cookie': { ...keeper, api: 'both' },
  'keeps a token against forged requests': {
    ...keeper,
    token: () => 'c5f1d0e9a8b7465f3c2d1e0f9a8b7c6d',
    script: `localStorage.setItem('csrf_token', await token())`,
    api: 'cookie',
  },
};

for (const [what, design] of usualRows(clean, ['keeps a token that is worth nothing without the cookie'])) {
  test(`an app that ${what} is clean`, async ({ browsers }) => {
    const found = await result(browsers, design);
    assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
  });
}

further(test)('an app that keeps nothing has nothing to look at', async ({ browsers }) => {
  const { outcome } = await result(browsers, { ...keeper, script: 'await fetch("/api/me")', api: 'cookie' });
  assert.is(outcome.kind, 'not-applicable');
});

further(test)('a session that was given as a cookie is looked at as well', async ({ browsers }) => {
  const site = await startSite(tokenApp(keeper));
  try {
    const login = await fetch(`http://127.0.0.1:${site.port}/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username: 'dora', password: 'correct-horse-5' }),
    });
    const [, sid = ''] = /sid=(\w+)/.exec(login.headers.get('set-cookie') ?? '') ?? [];
    const given: TestIdentity = { name: 'dora', cookies: { sid }, checkPath: '/account', marker: 'Signed in as Dora' };
    const { outcome } = await runOn(site.url, tokenInStorage, { identities: [given], browsers });
    assert.is(outcome.kind, 'found', outcome.reason);
  } finally {
    await site.close();
  }
});

further(test)('what a session of headers would keep is not known, and the check says so', async ({ browsers }) => {
  const given: TestIdentity = {
    name: 'dora',
    headers: [['Cookie', 'sid=none']],
    checkPath: '/app',
    marker: 'out',
  };
  const { outcome } = await result(browsers, keeper, [given]);
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /not made in a browser/);
});

further(test)('without a browser or an identity the check is not run, and says why', async ({ browsers }) => {
  const [noBrowser, nobody] = [await result(undefined, keeper), await result(browsers, keeper, [])];
  assert.equal([noBrowser.outcome.kind, nobody.outcome.kind], ['not-run', 'not-run']);
  assert.match(noBrowser.outcome.reason, /browser/);
  assert.match(nobody.outcome.reason, /identity/);
});

test.run();
