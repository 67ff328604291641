import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionReadableByScript } from '../../../../workflows/checks/cookies/session-readable-by-script.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { type Handler, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('cookies.session-readable-by-script');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool | undefined, design: MembersDesign, handler = membersSite(design)) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, sessionReadableByScript, {
      identities: [memberOf(design)],
      ...(browsers ? { browsers } : {}),
    });
  } finally {
    await site.close();
  }
}

const designs: Record<string, MembersDesign> = {
  'a form': { ...sound, attributes: 'Path=/; SameSite=Lax' },
  'JSON beside a cookie that script needs': {
    ...sound,
    login: 'json',
    cookie: 'connect.sid',
    attributes: 'path=/',
    extraCookie: 'XSRF-TOKEN=x1y2z3; Path=/',
  },
};

for (const [how, design] of firstRows(Object.entries(designs), 1)) {
  test(`a session cookie without HttpOnly, after a login by ${how}, is read and used`, async ({ browsers }) => {
    const found = await result(browsers, design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.location?.parameter, design.cookie);
    assert.equal(
      found.facts.map(({ kind, attributes }) => [kind, attributes.cookies]),
      [['readable-session', design.cookie]],
    );
  });

  test(`the same cookie with HttpOnly is clean after a login by ${how}`, async ({ browsers }) => {
    const found = await result(browsers, { ...design, attributes: `${design.attributes}; HTTPOnly` });
    assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
  });
}

test('a session of two cookies of which script reads one is clean', async ({ browsers }) => {
  const inner = membersSite(sound);
  const handler: Handler = (request) => {
    const answer = inner(request.cookies.half === 'readable-half' ? request : { ...request, cookies: {} });
    const cookies = [answer?.headers?.['set-cookie'] ?? []].flat();
    return (
      answer && { ...answer, headers: { ...answer.headers, 'set-cookie': [...cookies, 'half=readable-half; Path=/'] } }
    );
  };
  assert.equal([(await result(browsers, sound, handler)).outcome.kind], ['clean']);
});

further(test)('nothing that is stored holds the session', async ({ browsers }) => {
  const found = await result(browsers, { ...sound, attributes: 'Path=/' });
  assert.is(found.findings.length, 1);
  assert.not.match(stored(found), /sess[0-9a-f]{32}|correct-horse/);
});

test('without a browser the check is not run, and says why', async () => {
  const { outcome } = await result(undefined, { ...sound, attributes: 'Path=/' });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /browser/);
});

test.run();
