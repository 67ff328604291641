import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionFixation } from '../../../../workflows/checks/auth/session-fixation.check.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn, stored } from '../harness.ts';

const test = suite('auth.session-fixation');

async function result(design: MembersDesign, around = (handler: Handler): Handler => handler) {
  const site = await startSite(around(membersSite(design)));
  try {
    return await runOn(site.url, sessionFixation, { identities: [memberOf(design)] });
  } finally {
    await site.close();
  }
}

const designs: Record<string, MembersDesign> = {
  'a form': { ...sound, extraCookie: 'visitor_id=v-93b1c20a77f4; Path=/' },
  'JSON, with the cookie of another framework': { ...sound, login: 'json', cookie: 'PHPSESSID', attributes: 'path=/' },
};

for (const [how, design] of Object.entries(designs)) {
  further(test)(`a session that is kept at a login by ${how} is found`, async () => {
    const found = await result({ ...design, beforeLogin: 'kept' });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    const { parameter, parameterIn } = found.findings[0]?.location ?? {};
    assert.equal([parameter, parameterIn], [design.cookie, 'cookie']);
  });

  test(`a session that is made anew at a login by ${how} is clean`, async () => {
    const found = await result({ ...design, beforeLogin: 'rotated' });
    assert.equal([found.outcome.kind, found.outcome.reason], ['clean', '']);
  });
}

test('a session that is kept at a login whose answer says nothing of cookies is found', async () => {
  const design: MembersDesign = { ...sound, login: 'json', beforeLogin: 'kept' };
  const found = await result(design, (handler) => (request) => {
    const answer = handler(request);
    return request.method === 'POST' && request.cookies.sid ? { ...answer, headers: {} } : answer;
  });
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

further(test)('a site that gives visitors no cookie is clean', async () => {
  assert.is((await result({ ...sound, beforeLogin: 'none' })).outcome.kind, 'clean');
});

test('a site that knows who asks by something else than cookies is clean', async () => {
  const found = await result({ ...sound, beforeLogin: 'kept' }, (handler) => {
    let isLoggedIn = false;
    // As one that takes everybody behind an address for whoever logged in there.
    return (request) => {
      const answer = handler(request);
      isLoggedIn ||= request.method === 'POST' && answer?.status === 302;
      return isLoggedIn && request.path === '/home'
        ? { ...answer, status: 200, body: 'Signed in as Dora Dean' }
        : answer;
    };
  });
  assert.is(found.findings.length, 0);
});

test('a site that is told who asks with each request makes no session: a limit, unless it has a form for them', async () => {
  const form = '<form method=post action=/login><input name=u><input type=password name=p></form>';
  const basic = ['Authorization', 'Basic ZG9yYTp4'] as const;
  const token = ['X-Orchard-Token', '7c1b52e09d'] as const;
  for (const [shown, [name, value], expected] of [
    ['', basic, /Each request has the name/],
    [form, basic, /with a form or with JSON/],
    ['', token, /A header of each request says who asks/],
    [form, token, /with a form or with JSON/],
  ] as const) {
    const site = await startSite(({ path, headers }) => {
      if (path !== '/') return { status: 404 };
      const isUser = headers[name.toLowerCase()] === value;
      return html(`${isUser ? 'Hello Dora Dean' : 'Who are you?'}${shown}`, isUser ? 200 : 401);
    });
    const identity = {
      ...{ name: 'a', checkPath: '/', marker: 'Dora Dean' },
      headers: [[name, value]] as [string, string][],
    };
    try {
      const { outcome } = await runOn(site.url, sessionFixation, { identities: [identity] });
      assert.match(outcome.reason, expected);
    } finally {
      await site.close();
    }
  }
});

further(test)('nothing that is stored holds the session', async () => {
  const found = await result({ ...sound, beforeLogin: 'kept' });
  assert.is(found.findings.length, 1);
  assert.not.match(stored(found), /sess[0-9a-f]{32}|correct-horse/);
});

test.run();
