import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { totpAt } from '../../../workflows/login/totp.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { multipartSite } from '../../fixtures/logins/form-sites.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { scriptedFormSite, storageApp, wizardApp } from '../../fixtures/logins/script-sites.ts';
import { html } from '../../fixtures/site.ts';
import { firstRows, further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { enter, type Kind, onStage } from './stage.ts';

const form: Kind = { case: 'form', value: { url: '/login', ...dora } };
const typed: Kind = { case: 'browser', value: { url: '/login', ...dora } };

const test = suite<{ browsers: BrowserPool }>('login by browser');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

further(test)(
  'a page that is made by script is fallen back to the browser for, and its token is taken over',
  async ({ browsers }) => {
    const { handler, sessions } = storageApp();
    await onStage(
      handler,
      async ({ prove, url }) => {
        const { session, mark, inBrowserSince } = await prove(form);
        assert.match(inBrowserSince ?? '', /no login form was found at .*\/login/);
        const token = [...sessions.keys()].at(-1) ?? '';
        assert.equal(session.headers, [['x-auth', `Orchard ${token}`]]);
        assert.is(mark.checkUrl, `${url}/api/profile`);
        assert.is(JSON.parse(session.storage?.[url]?.local['orchard.state'] ?? '{}').user?.jwt, token);
        assert.equal(session.recipe.sends.headers, [{ name: 'x-auth', prefix: 'Orchard ' }]);
        assert.equal(session.recipe.steps[0]?.fields, [
          { name: 'auth.email', holds: 'username' },
          { name: 'auth.secret', holds: 'password' },
        ]);
        assert.is(session.answer?.status, 200);
        assert.is(session.answer?.text, JSON.stringify({ jwt: token }));
      },
      browsers,
    );
  },
);

further(test)('what the application sends of itself, once somebody is logged in, is reported', async ({ browsers }) => {
  const { handler } = storageApp();
  const storing = `const read = fetch;
    let given = '';
    window.fetch = (url, more) => {
      if (more?.method === 'POST') given = more.body;
      return read(url, more).finally(() => {
        if (url !== '/api/profile') return;
        // Some applications log in twice: to their interface, and to their pages.
        read('/enter', { method: 'POST', body: given });
        read('/api/view', { method: 'PUT' });
      });
    };`;
  await onStage(
    (request) => {
      const answer = handler(request);
      return request.path === '/app.js' && answer ? { ...answer, body: `${storing}${answer.body}` } : answer;
    },
    async ({ prove, url }) => {
      assert.equal((await prove(typed)).session.writes, [{ method: 'PUT', url: `${url}/api/view` }]);
    },
    browsers,
  );
});

test('what the application would send of itself when its page is left is not sent', async ({ browsers }) => {
  const sessions = new Set<string>();
  const left: string[] = [];
  const page = html(`<div id=box></div><script>
    const send = (name) => () => void fetch('/left/' + name, { method: 'POST', body: '{}', keepalive: true });
    for (const name of ['beforeunload', 'pagehide', 'unload']) {
      addEventListener(name, send(name));
      window['on' + name] = send('on-' + name);
    }
    document.addEventListener('visibilitychange', () => void navigator.sendBeacon('/left/beacon', '{}'));
    const ask = (way) => fetch('/session', way);
    const show = async () => {
      const answer = await ask();
      box.innerHTML = answer.ok ? await answer.text() : '<input name=email><input name=password type=password><button>Log in</button>';
      box.querySelector('button')?.addEventListener('click', async () => {
        const body = new URLSearchParams([...box.querySelectorAll('input')].map(({ name, value }) => [name, value]));
        if ((await ask({ method: 'POST', body })).ok) show();
      });
    };
    show();
  </script>`);
  await onStage(
    ({ path, method, body, cookies }) => {
      if (path === '/login') return page;
      if (path.startsWith('/left/')) left.push(path);
      if (path !== '/session') return undefined;
      if (method !== 'POST')
        return sessions.has(cookies.sid ?? '') ? html(`<h1>Desk of ${dora.username}</h1>`) : html('No', 401);
      const sent = new URLSearchParams(body);
      if (sent.get('email') !== dora.username || sent.get('password') !== dora.password) return html('No', 401);
      const sid = `s${sessions.size}-${'k'.repeat(16)}`;
      sessions.add(sid);
      return { headers: { 'set-cookie': `sid=${sid}; Path=/` }, body: 'ok' };
    },
    async ({ prove }) => {
      const { session } = await prove(typed);
      assert.equal(session.recipe.sends.cookies, ['sid']);
      assert.equal([left, session.writes], [[], []]);
    },
    browsers,
  );
});

test('a login in a dialog that a word on the page opens is filled in', async ({ browsers }) => {
  const sessions = new Set<string>();
  const page =
    html(`<a href="/partner">Sign in with Harbour ID</a> <div id=menu><span class=entry>Log in / Join</span></div><div id=box></div><script>
    document.querySelector('.entry').onclick = () => {
      box.innerHTML = '<button role=tab>Log in</button><input name=email><input name=password type=password><button>Log in</button>';
      box.querySelector('button:last-child').onclick = async () => {
        const body = new URLSearchParams([...box.querySelectorAll('input')].map(({ name, value }) => [name, value]));
        if ((await fetch('/session', { method: 'POST', body })).ok) location.reload();
      };
    };
  </script>`);
  await onStage(
    ({ path, method, body, cookies }) => {
      if (path === '/login') return sessions.has(cookies.sid ?? '') ? html(`<h1>Desk of ${dora.username}</h1>`) : page;
      if (path !== '/session' || method !== 'POST') return undefined;
      const sent = new URLSearchParams(body);
      if (sent.get('email') !== dora.username || sent.get('password') !== dora.password) return html('No', 401);
      const sid = `s${sessions.size}-${'k'.repeat(16)}`;
      sessions.add(sid);
      return { headers: { 'set-cookie': `sid=${sid}; Path=/` }, body: 'ok' };
    },
    async ({ prove }) => {
      for (const fields of firstRows([{}, { usernameField: 'email', passwordField: 'password' }], 1)) {
        const { session } = await prove({ case: 'browser', value: { url: '/login', ...dora, ...fields } });
        assert.equal(session.recipe.sends.cookies, ['sid']);
      }
    },
    browsers,
  );
});

further(test)(
  'a form that only works with script is tried in the browser when it shows nothing without',
  async ({ browsers }) => {
    const { handler, logins } = scriptedFormSite();
    await onStage(
      handler,
      async ({ prove }) => {
        const { session, inBrowserSince } = await prove(form);
        assert.match(inBrowserSince ?? '', /looks the same for anonymous visitors/);
        assert.equal(session.recipe.sends.cookies.toSorted(), ['seen', 'sid']);
        assert.match(session.answer?.header('set-cookie') ?? '', /^sid=/);
        // Once as a form, then in the browser: right, wrong, right.
        assert.is(logins.length, 4);
      },
      browsers,
    );
  },
);

further(test)('three screens with a box for each digit are gone through', async ({ browsers }) => {
  const totp = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', algorithm: 0, digits: 6, periodSeconds: 3 } as const;
  const isCode = (code: string) => [0, 3_000, 6_000].some((agoMs) => totpAt(totp, Date.now() - agoMs) === code);
  await onStage(wizardApp(isCode).handler, async ({ prove }) => void (await prove(typed, { totp })), browsers);
});

further(test)('given selectors are followed, through shadow roots', async ({ browsers }) => {
  const { handler } = scriptedFormSite();
  const page = html(`<div id="login"></div><script>
    const root = document.getElementById('login').attachShadow({ mode: 'open' });
    root.innerHTML = '<input class="decoy" type="password"><div class="real"><input class="x"><input class="y" type="password"><a href="#" class="go">Enter</a></div>';
    root.querySelector('.go').addEventListener('click', () => {
      const name = root.querySelector('.x').value;
      const body = new URLSearchParams({ user: name, password: root.querySelector('.y').value, proof: [...name].reverse().join('') });
      fetch('/login', { method: 'POST', body }).then(() => { location.href = '/'; });
    });</script>`);
  const given = { usernameField: '.real > .x', passwordField: '.real > .y', submitButton: 'a.go' };
  await onStage(
    (request) => (request.path === '/login' && request.method === 'GET' ? page : handler(request)),
    async ({ prove }) => {
      const { inBrowserSince } = await prove({ case: 'form', value: { url: '/login', ...dora, ...given } });
      assert.match(inBrowserSince ?? '', /a selector of the login can only be read by a browser/);
    },
    browsers,
  );
});

further(test)('a wrong password is distinguished from a page without a login', async ({ browsers }) => {
  await onStage(
    storageApp().handler,
    async ({ fail }) => {
      const { failure } = await fail({
        case: 'browser',
        value: { url: '/login', username: 'dora', password: 'wrong' },
      });
      assert.is(failure, 'wrong_credentials');
    },
    browsers,
  );
  await onStage(
    () => html('<p>Nothing here</p><script>1</script>'),
    async ({ fail }) => {
      const { failure, reason } = await fail(form);
      assert.is(failure, 'no_form');
      assert.match(reason, /the browser found no login form at .*since no login form was found/);
    },
    browsers,
  );
});

further(test)('a classic form works in the browser as well, behind what lies over the page', async ({ browsers }) => {
  const { handler } = multipartSite();
  const overlay = '<div style="position:fixed;inset:0;background:white;z-index:9">We value your privacy</div>';
  await onStage(
    (request) => {
      const answer = handler(request);
      return request.path === '/login' && answer ? { ...answer, body: `${answer.body}${overlay}` } : answer;
    },
    async (stage) => {
      const { session } = await stage.prove({
        case: 'browser',
        value: { url: '/login', ...dora, submitButton: '[value=enter]' },
      });
      assert.is(session.recipe.kind, 'browser');
    },
    browsers,
  );
});

test('the browser asks nobody but the audited host, and takes the cookies of a session along', async ({ browsers }) => {
  const seen: (string | undefined)[] = [];
  const { handler } = scriptedFormSite();
  await onStage(
    (request) => {
      if (request.path === '/login') seen.push(request.cookies.before);
      const answer = handler(request);
      const beacon = '<img src="http://169.254.169.254/"><script src="http://elsewhere.localhost:1/x.js"></script>';
      return request.path === '/login' && answer?.body ? { ...answer, body: `${answer.body}${beacon}` } : answer;
    },
    async (stage) => {
      const jar = stage.probes.http.newJar();
      jar.set(`${stage.url}/`, 'before', 'planted');
      const session = await stage.probes.browser.signIn({
        url: `${stage.url}/login`,
        jar,
        ...dora,
        fields: { username: '', password: '', code: '', submit: '' },
      });
      assert.equal(session.sent, { name: true, password: true, code: false });
      assert.equal([...new Set(seen)], ['planted']);
      assert.match(jar.header(`${stage.url}/`), /before=planted.*sid=/);
      const hosts = stage.probes.recorder.recent().map(({ url }) => new URL(url).host);
      assert.equal([...new Set(hosts)], [new URL(stage.url).host]);
    },
    browsers,
  );
});

further(test)('a new session by browser is one of its own', async ({ browsers }) => {
  await onStage(
    storageApp().handler,
    async (stage) => {
      const [first, second] = [await enter(stage, typed), await enter(stage, typed)];
      assert.is.not(first.headers[0]?.[1], second.headers[0]?.[1]);
    },
    browsers,
  );
});

test.run();
