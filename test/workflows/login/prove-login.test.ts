import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAlive } from '../../../workflows/login/check-page.ts';
import { proveLogin } from '../../../workflows/login/prove-login.ts';
import { getSite, multipartSite, twoStepSite } from '../../fixtures/logins/form-sites.ts';
import { cookieApi, tokenApi } from '../../fixtures/logins/json-sites.ts';
import { dora, emil } from '../../fixtures/logins/people.ts';
import { refusals, refusing } from '../../fixtures/logins/refusing-sites.ts';
import { exclusiveSite, type SessionSite, sessionSite } from '../../fixtures/logins/session-sites.ts';
import { type Handler, html, json as jsonAnswer } from '../../fixtures/site.ts';
import { apiToken, type LoginSite, openLoginSite, users } from '../support/login-site.ts';
import { enter, type Kind, loginOf, onStage, type Stage, stageAt } from './stage.ts';

const form: Kind = { case: 'form', value: { url: '/login', ...dora } };

const classic = suite<{ site: LoginSite; stage: Stage }>('prove login: a classic site');
const alice: Kind = { case: 'form', value: { url: '/login', username: 'alice', password: users.alice ?? '' } };

classic.before.each(async (context) => {
  context.site = await openLoginSite();
  context.stage = stageAt(context.site.url.replace(/\/$/, ''));
});
classic.after.each(async ({ site, stage }) => {
  await stage.probes.close();
  await site.close();
});

const json = { url: '/api/login', username: 'alice', password: users.alice ?? '' };
for (const [name, kind] of Object.entries<Kind>({
  form: alice,
  'json with a given path': { case: 'json', value: { ...json, tokenPath: 'data.token' } },
  'json with a found path': { case: 'json', value: json },
  bearer: { case: 'bearer', value: apiToken },
  basic: { case: 'basic', value: { username: 'alice', password: users.alice ?? '' } },
  header: { case: 'header', value: { name: 'X-Token', value: apiToken } },
})) {
  classic(`a ${name} login is proven by what only its identity sees`, async ({ stage, site }) => {
    assert.is((await stage.prove(kind)).mark.checkUrl, site.url);
  });
}

classic('a cookie login is proven with the cookie of a session, wherever the audit starts', async ({ site, stage }) => {
  site.sessions.set('abc123def', 'alice');
  stage.world.baseUrl = `${site.url}deep/down?x=1`;
  await stage.prove({ case: 'cookie', value: 'session=abc123def; theme=dark' }, { checkUrl: '/' });
});

classic('the form is sent as a browser would: token, ticked box and button', async ({ site, stage }) => {
  await stage.prove(alice);
  assert.equal(site.attempts.at(-1), { user: 'alice', ok: true, tick: true });
});

classic('one wrong password is tried, between two right ones', async ({ site, stage }) => {
  await stage.prove(alice);
  assert.equal(
    site.attempts.map(({ ok }) => ok),
    [true, false, true],
  );
});

classic('where the password is wrong it is tried once, and no other', async ({ site, stage }) => {
  const { failure } = await stage.fail({
    case: 'form',
    value: { url: '/login', username: 'alice', password: 'wrong' },
  });
  assert.is(failure, 'no_marker');
  assert.equal(
    site.attempts.map(({ ok }) => ok),
    [false],
  );
});

classic('a refused JSON login is distinguished from an answer without a token', async ({ stage }) => {
  const refused = await stage.fail({ case: 'json', value: { ...json, password: 'no' } });
  assert.is(refused.failure, 'wrong_credentials');
  const lacking = await stage.fail({ case: 'json', value: { ...json, tokenPath: 'token' } });
  assert.is(lacking.failure, 'no_token');
  assert.match(lacking.reason, /has no text at token/);
});

for (const [name, kind] of Object.entries<Kind>({
  bearer: { case: 'bearer', value: 'nobody-knows-me' },
  basic: { case: 'basic', value: { username: 'alice', password: 'nobody-knows-me' } },
  header: { case: 'header', value: { name: 'X-Token', value: 'nobody-knows-me' } },
  cookie: { case: 'cookie', value: 'session=nobody-knows-me' },
}))
  classic(`a ${name} that opens nothing is not proven`, async ({ stage }) => {
    assert.is((await stage.fail(kind)).failure, 'no_marker');
  });

classic(
  'a given marker is used when it distinguishes, and the login is unproven when it does not',
  async ({ stage }) => {
    const good = await stage.prove(alice, { checkUrl: '/', marker: 'Hello, alice' });
    assert.is(good.mark.marker, 'Hello, alice');
    for (const marker of ['Somebody else', 'Welcome']) {
      const bad = await stage.fail(alice, { checkUrl: '/', marker });
      assert.is(bad.failure, 'no_marker');
      assert.match(bad.reason, /lacks the given marker, or has it for anonymous visitors/);
    }
  },
);

classic('a session that the site has ended is seen to be dead', async ({ site, stage }) => {
  const { session, mark } = await stage.prove(alice);
  site.forget();
  assert.is(await isAlive(stage.probes.http, session, mark), false);
});

classic.run();

const shapes = suite('prove login: other shapes');

shapes('a multipart form is sent as one, with its defaults and the right button', async () => {
  const { handler, arrived } = multipartSite();
  await onStage(handler, async ({ prove }) => {
    const { session } = await prove(form);
    assert.equal(
      arrived.at(-1)?.map(([name]) => name),
      ['__token', 'empty', 'n1', 'n2', 'realm', 'stay', 'r', 'cmd', 'outside'],
    );
    assert.equal(arrived.at(-1)?.slice(2), [
      ['n1', dora.username],
      ['n2', dora.password],
      ['realm', 'b'],
      ['stay', 'on'],
      ['r', '2'],
      ['cmd', 'enter'],
      ['outside', 'yes'],
    ]);
    assert.is(session.recipe.steps[0]?.encoding, 'multipart');
  });
});

shapes('a login in two steps is gone through, each with its own hidden fields', async () => {
  const { handler, arrived } = twoStepSite();
  await onStage(handler, async ({ prove }) => {
    const { session } = await prove(form);
    assert.equal(
      arrived.slice(-2).map((fields) => fields.map(([name]) => name)),
      [['identifier'], ['flow', 'secret', 'go']],
    );
    const [first, second] = session.recipe.steps;
    assert.equal(first?.fields, [{ name: 'identifier', holds: 'username' }]);
    assert.equal(
      second?.fields.map(({ holds }) => holds),
      ['hidden', 'password', 'fixed'],
    );
    assert.equal(session.recipe.sends.cookies, ['auth']);
  });
});

shapes('in two steps a wrong password is reported', async () => {
  await onStage(twoStepSite().handler, async ({ fail }) => {
    const { failure } = await fail({ case: 'form', value: { url: '/login', username: 'dora', password: 'x' } });
    assert.is(failure, 'wrong_credentials');
  });
});

shapes('a GET form is sent with GET, and its fields may be given', async () => {
  const { handler, arrived } = getSite();
  await onStage(handler, async ({ prove }) => {
    await prove(form);
    await prove({ case: 'form', value: { url: '/login', ...dora, usernameField: '[name=a]', passwordField: 'b' } });
    assert.equal(arrived.at(-1), [
      ['a', dora.username],
      ['b', dora.password],
    ]);
  });
});

shapes('a password that a GET form puts into an address is in nothing that is kept', async () => {
  const { handler } = getSite();
  await onStage(
    (request) => (request.path === '/' ? html('<p>Hello</p>') : handler(request)),
    async (stage) => {
      const { reason } = await stage.fail(form);
      const { landing, recipe } = await enter(stage, form);
      assert.is(landing?.url, `${stage.url}/cgi-bin/in`);
      assert.not.match(JSON.stringify([reason, landing?.url, recipe]), /gr(?:ün|%C3)/);
    },
  );
});

shapes('a form without the given fields is not guessed at', async () => {
  await onStage(getSite().handler, async ({ fail }) => {
    const { failure } = await fail({ case: 'form', value: { url: '/login', ...dora, usernameField: 'user' } });
    assert.is(failure, 'no_form');
  });
});

shapes('an interface with a token of its own scheme, nested members and an account page is logged in to', async () => {
  const { handler, bodies } = tokenApi({
    answer: (token) => ({ data: { user: 'dora', session: { access_token: token } } }),
    read: (headers) => /^Token (.+)$/.exec(String(headers.authorization))?.[1],
    credentials: ({ user }) => {
      const { email, pass } = user as { email: unknown; pass: unknown };
      return { name: email, password: pass };
    },
  });
  await onStage(handler, async ({ prove, url }) => {
    const names = {
      usernameField: 'user.email',
      passwordField: 'user.pass',
      tokenHeader: 'Authorization: Token {token}',
    };
    const { mark, session } = await prove({ case: 'json', value: { url: '/api/auth/login', ...dora, ...names } });
    assert.is(mark.checkUrl, `${url}/api/me`);
    assert.equal(bodies.at(-1), { user: { email: dora.username, pass: dora.password } });
    assert.is(session.recipe.tokenPath, 'data.session.access_token');
    assert.equal(session.recipe.sends, { headers: [{ name: 'Authorization', prefix: 'Token ' }], cookies: [] });
    assert.not.ok(JSON.stringify(session.recipe).includes(session.headers[0]?.[1].slice(6) ?? '-'));
  });
});

for (const status of [422, 415])
  shapes(`an interface that answers ${status} to JSON is sent a form, as OAuth 2.0 asks for`, async () => {
    const bodies: string[] = [];
    const handler: Handler = ({ method, path, headers, body }) => {
      if (path === '/me')
        return headers.authorization === 'Bearer token-of-dora-81'
          ? jsonAnswer({ name: 'Dora of the harbour' })
          : jsonAnswer({ detail: 'Not authenticated' }, 401);
      if (path !== '/token' || method !== 'POST') return undefined;
      if (!headers['content-type']?.includes('urlencoded')) return jsonAnswer({ detail: 'Field required' }, status);
      bodies.push(body);
      const fields = new URLSearchParams(body);
      return fields.get('username') === dora.username && fields.get('password') === dora.password
        ? jsonAnswer({ access_token: 'token-of-dora-81', token_type: 'bearer' })
        : jsonAnswer({ detail: 'Incorrect username or password' }, 401);
    };
    await onStage(handler, async ({ prove, fail }) => {
      const given = { url: '/token', ...dora };
      const { session } = await prove({ case: 'json', value: given }, { checkUrl: '/me' });
      assert.is(new URLSearchParams(bodies[0]).get('grant_type'), 'password');
      assert.is(session.recipe.steps[0]?.encoding, 'urlencoded');
      const wrong = { case: 'json', value: { ...given, password: 'wrong' } } as const;
      assert.is((await fail(wrong, { checkUrl: '/me' })).failure, 'wrong_credentials');
    });
  });

shapes('a wrong password that JSON is refused for with 422 is sent once', async () => {
  const types: string[] = [];
  const handler: Handler = ({ method, path, headers }) => {
    if (path !== '/login' || method !== 'POST') return undefined;
    types.push(headers['content-type'] ?? '');
    return jsonAnswer({ message: 'These credentials do not match our records.' }, 422);
  };
  await onStage(handler, async ({ fail }) => {
    await fail({ case: 'json', value: { url: '/login', ...dora, usernameField: 'email' } });
    assert.equal(types, ['application/json']);
  });
});

shapes('a JSON login is tried with the usual names of the user, and no more than three', async () => {
  const { handler, bodies } = tokenApi({
    answer: (token) => ({ token }),
    read: ({ authorization }) => String(authorization ?? '').replace('Bearer ', ''),
    credentials: ({ login, password }) => ({ name: login, password }),
  });
  await onStage(handler, async ({ prove, fail, url }) => {
    const { mark, session } = await prove({ case: 'json', value: { url: '/api/auth/login', ...dora } });
    assert.is(mark.checkUrl, `${url}/api/me`);
    assert.equal(session.recipe.steps[0]?.fields[0], { name: 'login', holds: 'username' });
    const before = bodies.length;
    const { failure } = await fail({ case: 'json', value: { url: '/api/auth/login', ...dora, password: 'no' } });
    assert.is(failure, 'wrong_credentials');
    assert.equal(
      bodies.slice(before).map((body) => Object.keys(body as object)[0]),
      ['username', 'login', 'user'],
    );
  });
});

shapes('a JSON login whose session is a cookie is proven where only its identity is named', async () => {
  await onStage(cookieApi().handler, async ({ prove, url }) => {
    const { mark } = await prove({ case: 'json', value: { url: '/session', ...dora } });
    assert.is(mark.checkUrl, `${url}/whoami`);
  });
});

shapes('a JSON login is proven at an address that the survey was refused', async () => {
  let sessions = 0;
  const handler: Handler = ({ method, path, headers, body }) => {
    if (path === '/') return html('<h1>Tide clock</h1>');
    if (path === '/login' && method === 'POST')
      return body.includes(JSON.stringify(dora.password))
        ? jsonAnswer({ token: `tides-of-somebody-${++sessions}-${'x'.repeat(16)}` })
        : jsonAnswer({ error: 'wrong' }, 401);
    if (path !== '/tides') return undefined;
    const isKnown = String(headers.authorization ?? '').startsWith('Bearer tides-');
    return isKnown ? jsonAnswer({ harbour: 'Dora has the harbour of Rotsee' }) : jsonAnswer({ error: 'token' }, 401);
  };
  await onStage(handler, async ({ world, url }) => {
    const login = loginOf({ case: 'json', value: { url: '/login', ...dora } });
    assert.not.ok((await proveLogin(world, login)).proven);
    const proof = await proveLogin({ ...world, refused: [`${url}/gone`, `${url}/tides`] }, login);
    assert.is(proof.proven && proof.mark.checkUrl, `${url}/tides`);
  });
});

shapes('a site that ends older sessions at each login is noticed', async () => {
  for (const [site, isExclusive] of [
    [exclusiveSite(), true],
    [sessionSite({}), false],
  ] as const)
    await onStage(site.handler, async ({ prove }) => assert.is((await prove(form)).isExclusive, isExclusive));
});

shapes.run();

const failures = suite('prove login: failures');

for (const [name, { handler, failure, says }] of Object.entries(refusals))
  failures(`a site ${name} is named as such`, () =>
    onStage(handler, async ({ fail }) => {
      const proof = await fail(form);
      assert.is(proof.failure, failure, proof.reason);
      assert.match(proof.reason, says);
    }),
  );

failures('a page that holds words of failure is proven all the same when its login works', async () => {
  const { handler } = sessionSite({ pages: { '/help': 'x' } });
  await onStage(
    (request) => {
      const answer = handler(request);
      if (request.path !== '/' || !request.cookies.sid || !answer) return answer;
      return { ...answer, body: `${answer.body}<p>Invalid password? Your account is locked? Captcha? Ask us.</p>` };
    },
    async ({ prove }) => void (await prove(form)),
  );
});

failures('a site that repeats the user name to whoever typed it proves nothing', async () => {
  let last = '';
  const handler = refusing(html('<p>Thank you.</p>'));
  await onStage(
    (request) => {
      last = new URLSearchParams(request.body).get('username') ?? last;
      if (request.path === '/' && request.cookies.visited) return html(`<p>Nice to see you, ${last}!</p>`);
      const answer = handler(request);
      return answer && { ...answer, headers: { ...answer.headers, 'set-cookie': 'visited=1' } };
    },
    async ({ fail }) =>
      assert.is((await fail({ case: 'form', value: { url: '/login', ...emil } })).failure, 'no_marker'),
  );
});

failures('a form that only script can send is not sent without a browser: it would show the password', async () => {
  const asked: string[] = [];
  await onStage(
    (request) => {
      asked.push(request.target);
      return request.path === '/login'
        ? html('<form><input name="user"><input type="password" name="password"></form><script>1</script>')
        : html('<p>Hello</p>');
    },
    async ({ fail }) => {
      const { failure, reason } = await fail(form);
      assert.is(failure, 'needs_browser');
      assert.match(reason, /is sent by script, and this worker was started without a browser/);
      assert.not.ok(asked.some((target) => target.includes('password')));
    },
  );
});

failures('a site that is down is an error of its own, so that it is tried again', async () => {
  const site = await openLoginSite();
  const stage = stageAt(site.url.replace(/\/$/, ''));
  await site.close();
  try {
    const error = await stage.fail(alice).catch((reason: unknown) => reason);
    assert.is((error as { code?: string }).code, 'unreachable');
    assert.match(String(error), /the login got no answer/);
  } finally {
    await stage.probes.close();
  }
});

/** The page after the login, and after what is none, draws more than is read. */
const drawing =
  (site: SessionSite): Handler =>
  (request) =>
    request.path === '/' ? html(`${'<div>'.repeat(600)}<p>Board ${Math.random()}</p>`) : site.handler(request);
const drawn = sessionSite({ pages: { '/me': '<h1>Account</h1>' } });
const shut = sessionSite({ pages: { '/me': '<h1>Account</h1>' }, maxRequests: 0 });

failures('a login whose page is too much to be read is proven by its account, and only by that', async () => {
  await onStage(drawing(drawn), async ({ prove }) => {
    assert.match((await prove(form, { checkUrl: '/me' })).mark.checkUrl, /\/me$/);
  });
  await onStage(drawing(shut), async ({ fail }) => {
    assert.is((await fail(form, { checkUrl: '/me' })).failure, 'no_marker');
  });
});

failures('a login on another host is refused before anything is sent', async () => {
  await onStage(refusing(html('')), async ({ fail }) => {
    const { failure } = await fail({ case: 'form', value: { url: 'http://other.localhost:1/login', ...dora } });
    assert.is(failure, 'elsewhere');
  });
});

failures.run();
