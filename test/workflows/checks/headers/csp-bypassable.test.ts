import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cspBypassable } from '../../../../workflows/checks/headers/csp-bypassable.check.ts';
import { bypassesOf } from '../../../../workflows/checks/pages/csp.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further, usualRows } from '../../../support/further.ts';
import { check, checkAgain, openAudit, places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('headers.csp-bypassable');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** Runs the check on a site that sends this policy with its pages, or has it in their markup. */
async function result(browsers: BrowserPool, headers: Record<string, string | string[]>, head = '') {
  const body = `<html><head>${head}</head><body><p>Welcome</p></body></html>`;
  const given = () =>
    Object.entries(headers).map(([each, value]) => [
      each,
      typeof value === 'string' ? value.replace('‹fresh›', randomBytes(12).toString('base64')) : value,
    ]);
  const site = await startSite(({ path }) =>
    path === '/' ? { ...html('', 200, Object.fromEntries(given())), body } : undefined,
  );
  try {
    return await runOn(site.url, cspBypassable, { browsers });
  } finally {
    await site.close();
  }
}

const name = 'content-security-policy';

const bypassable: Record<string, string | string[]> = {
  "'unsafe-inline'": "default-src 'self'; script-src 'self' 'unsafe-inline'",
  "'unsafe-inline' by default-src": "default-src 'self' 'unsafe-inline'; object-src 'none'",
  'any host': "script-src * ; object-src 'none'; base-uri 'none'",
  'any host over https': "default-src 'none'; script-src 'self' https:; base-uri 'none'",
  'data: addresses': "script-src 'self' data:; object-src 'none'",
  'a host of libraries with AngularJS': "script-src 'self' https://ajax.googleapis.com; object-src 'none'",
  'a host of libraries, without a scheme': "script-src 'self' ajax.googleapis.com; object-src 'none'",
  'inline script in each of many policies': Array.from(
    { length: 25 },
    (_, of) => `script-src 'unsafe-inline' /of${of}`,
  ),
  'inline script, and has quotes in it': `script-src 'self' 'unsafe-inline'; report-uri "/csp"`,
  'inline script in both of two policies': ["script-src 'unsafe-inline'", "default-src 'unsafe-inline' https:"],
};

for (const [what, policy] of usualRows(bypassable, ["'unsafe-inline'"])) {
  test(`a policy that allows ${what} is found`, async ({ browsers }) => {
    const found = await result(browsers, { [name]: policy });
    assert.equal(
      [found.outcome.kind, found.outcome.reason, places(found)],
      ['found', '', ['GET / Content-Security-Policy']],
    );
  });
}

const strict: Record<string, string | string[]> = {
  'with a nonce beside an ignored unsafe-inline':
    "script-src 'nonce-‹fresh›' 'unsafe-inline' 'strict-dynamic' https:; base-uri 'none'",
  'with self only': "default-src 'self'; object-src 'none'; base-uri 'none'",
  'that forbids script': "default-src 'none'",
  'that is strict where the other is not': ["script-src 'unsafe-inline'", "script-src 'none'"],
  'that is strict in the last of many': [...Array(24).fill("script-src 'unsafe-inline'"), "script-src 'none'"],
  'with a second member in its list that is strict': "script-src 'unsafe-inline', default-src 'self'",
};

for (const [what, policy] of firstRows(Object.entries(strict), 3)) {
  test(`a policy ${what} is clean`, async ({ browsers }) => {
    const found = await result(browsers, { [name]: policy });
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

further(test)('a policy in the markup counts as one in a header', async ({ browsers }) => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'unsafe-inline'">`;
  assert.is((await result(browsers, {}, meta)).outcome.kind, 'found');
  // What is no part of a head ends it, and browsers ignore a policy behind it.
  assert.is((await result(browsers, {}, `<p>Hello</p>${meta}`)).outcome.kind, 'not-applicable');
});

further(test)(
  'a policy that only reports, one that says nothing of scripts, and none at all are not this weakness',
  async ({ browsers }) => {
    const kinds = await Promise.all([
      result(browsers, { 'content-security-policy-report-only': "script-src 'unsafe-inline'" }),
      result(browsers, { [name]: "frame-ancestors 'none'; upgrade-insecure-requests" }),
      result(browsers, {}),
    ]);
    assert.equal(
      kinds.map(({ outcome }) => outcome.kind),
      ['not-applicable', 'clean', 'not-applicable'],
    );
  },
);

further(test)(
  'a policy of pages behind a login is found there, and one that everybody is shown once',
  async ({ browsers }) => {
    const open = { [name]: "script-src 'self' 'unsafe-inline'" };
    const closed = { [name]: "script-src 'self' data:" };
    const site = await startSite(({ path, headers }) => {
      const isAnna = headers.cookie === 'sid=anna';
      if (path === '/') return html('<a href="/account">Account</a>', 200, open);
      if (path === '/account' && isAnna) return html('Anna <a href="/notes">Notes</a>', 200, open);
      if (path === '/notes' && isAnna) return html('Notes of Anna', 200, closed);
      return html('Please log in', 403, open);
    });
    const identity = { name: 'anna', cookies: { sid: 'anna' }, checkPath: '/account', marker: 'Anna' };
    const audit = await openAudit(site.url, { browsers, identities: [identity], startsAtCheckPages: true });
    try {
      assert.equal(places(await check(audit, cspBypassable)), ['GET / Content-Security-Policy']);
      assert.equal(places(await checkAgain(audit, cspBypassable, 'anna')), ['GET /notes Content-Security-Policy']);
    } finally {
      await audit.close();
      await site.close();
    }
  },
);

further(test)('a nonce that is the same in each answer is found', async ({ browsers }) => {
  const found = await result(browsers, { [name]: "script-src 'nonce-c3RhdGljMTIzNDU2'; base-uri 'none'" });
  assert.equal([found.outcome.kind, found.outcome.reason], ['found', '']);
});

test('without a browser a suspicion is not run, and says so', async () => {
  const site = await startSite(() => html('', 200, { [name]: "script-src 'unsafe-inline'" }));
  try {
    const { outcome } = await runOn(site.url, cspBypassable);
    assert.is(outcome.kind, 'not-run');
  } finally {
    await site.close();
  }
});

const noSources = [
  '"https:"',
  '://',
  '//',
  'https://%zz.example',
  'http://[::1',
  'https://a:99999',
  'xn--a',
  "'nonce-%zz'",
];

for (const source of firstRows(noSources, 3))
  test(`what is no source, as ${source}, allows nothing and leaves the others as they are`, () => {
    assert.equal(bypassesOf([`script-src 'self' ${source}`]), []);
    assert.is(bypassesOf([`script-src ${source} 'unsafe-inline'; report-uri ${source}`]).length, 1);
  });

test('scripts are governed by their own directive, whatever the others allow', () => {
  assert.equal(bypassesOf(["default-src *; script-src 'self'"]), []);
  assert.is(bypassesOf(["script-src 'self'; script-src-elem https:"]).length, 1);
});

test.run();
