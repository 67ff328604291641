import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginWith } from '../../../workflows/login/log-in.ts';
import { scriptedLogin } from '../../../workflows/login/scripted-login.ts';
import { withTokenIn } from '../../../workflows/login/settings.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { cookieScriptApp } from '../../fixtures/logins/cookie-script-app.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { storageApp } from '../../fixtures/logins/script-sites.ts';
import { further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { type Kind, loginOf, onStage } from './stage.ts';

const test = suite<{ browsers: BrowserPool }>('what scripts keep of a login');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const fields = { usernameField: 'auth.email', passwordField: 'auth.secret' };
const json = (password: string): Kind => ({
  case: 'json',
  value: { url: '/api/session', username: dora.username, password, ...fields },
});
const callsAt = (url: string) => ({ calls: [{ method: 'POST', url: `${url}/api/session`, pageUrl: `${url}/login` }] });

further(test)('a login that is given as its request is typed into the page that makes it', async ({ browsers }) => {
  const { handler, sessions } = storageApp();
  await onStage(
    handler,
    async ({ world, url }) => {
      const kept = await scriptedLogin(world, loginOf(json(dora.password)), callsAt(url));
      if (!kept || !('storage' in kept)) throw new Error(JSON.stringify(kept));
      const token = JSON.parse(kept.storage[url]?.local['orchard.state'] ?? '{}').user?.jwt;
      assert.ok(sessions.has(token));
      assert.equal(kept.calls, [`${url}/api/profile`]);
      assert.equal(kept.sends, [{ name: 'x-auth', prefix: 'Orchard ', path: 'jwt' }]);
      const { headers } = await loginWith(world, withTokenIn(loginOf(json(dora.password)), kept.sends[0]))();
      const [[name, value] = ['', '']] = headers;
      assert.is(name, 'x-auth');
      assert.ok(sessions.has(value.replace('Orchard ', '')));
    },
    browsers,
  );
});

test('what the application sends of itself then is reported', async ({ browsers }) => {
  const { handler } = storageApp();
  const storing = `const read = fetch;
    window.fetch = (url, more) => read(url, more).finally(() => { if (url === '/api/profile') read('/api/view', { method: 'PUT' }); });`;
  await onStage(
    (request) => {
      const answer = handler(request);
      return request.path === '/app.js' && answer ? { ...answer, body: `${storing}${answer.body}` } : answer;
    },
    async ({ world, url }) => {
      const kept = await scriptedLogin(world, loginOf(json(dora.password)), callsAt(url));
      assert.equal(kept && 'writes' in kept && kept.writes, [{ method: 'PUT', url: `${url}/api/view` }]);
    },
    browsers,
  );
});

further(test)('a page without a login says why it was not used', async ({ browsers }) => {
  await onStage(
    ({ path }) =>
      path === '/login' ? { headers: { 'content-type': 'text/html' }, body: '<h1>Closed</h1>' } : undefined,
    async ({ world, url }) => {
      const kept = await scriptedLogin(world, loginOf(json(dora.password)), callsAt(url));
      assert.match(
        kept && 'unseen' in kept ? kept.unseen : '',
        /not used in the browser as this user: .*no login form/,
      );
    },
    browsers,
  );
});

test('nothing is typed where no page makes the request, or the login is of another kind', async ({ browsers }) => {
  const { handler, logins } = storageApp();
  await onStage(
    handler,
    async ({ world, url }) => {
      assert.is(await scriptedLogin(world, loginOf(json(dora.password)), { calls: [] }), undefined);
      const bearer: Kind = { case: 'bearer', value: 'abc' };
      assert.is(await scriptedLogin(world, loginOf(bearer), callsAt(url)), undefined);
      assert.equal(logins, []);
    },
    browsers,
  );
});

test('a token that script puts into a cookie is sent in it', async ({ browsers }) => {
  const { handler, sessions } = cookieScriptApp();
  await onStage(
    handler,
    async ({ world, url, prove, fail }) => {
      const login = loginOf(json(dora.password));
      const kept = await scriptedLogin(world, login, callsAt(url));
      if (!kept || !('storage' in kept)) throw new Error(JSON.stringify(kept));
      assert.equal(kept.sends, [{ name: 'Cookie', prefix: 'pear=', path: 'pear' }]);
      const { kind } = withTokenIn(login, kept.sends[0]);
      const { session } = await prove(kind, { checkUrl: '/api/profile' });
      assert.equal(session.headers, []);
      assert.ok(sessions.has(session.jar.header(`${url}/`).replace('pear=', '')));
      assert.equal(session.recipe.sends, { headers: [], cookies: ['pear'] });
      await fail(login.kind as Kind, { checkUrl: '/api/profile' });
    },
    browsers,
  );
});

test('what the settings say of the header stays, and so do logins of other kinds', () => {
  const given: Kind = {
    case: 'json',
    value: { url: '/a', username: 'dora', password: 'x', tokenHeader: 'X-Own: {token}' },
  };
  const header = { name: 'X-Orchard', prefix: '' };
  assert.equal(withTokenIn(loginOf(given), header), loginOf(given));
  const bearer: Kind = { case: 'bearer', value: 'abc' };
  assert.equal(withTokenIn(loginOf(bearer), header), loginOf(bearer));
  assert.equal(withTokenIn(loginOf(json('x')), undefined), loginOf(json('x')));
});

test.run();
