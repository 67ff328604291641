import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { type Handler, html } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { type Kind, onStage } from './stage.ts';

const typed: Kind = { case: 'browser', value: { url: '/login', ...dora } };
const plainForm =
  '<form method="post" action="/login"><input name="user"><input name="secret" type="password"><button>Enter</button></form>';

const test = suite<{ browsers: BrowserPool }>('firewalls before a login');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

further(test)(
  'what a firewall answers to the credentials, or shows instead of the form, is none of the site',
  async ({ browsers }) => {
    const challenge = {
      status: 403,
      headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' },
      body: 'wait',
    };
    const page =
      html(`<form><input name="user"><input name="secret" type="password"><button>Enter</button></form><p></p><script>
    const form = document.forms[0];
    form.onsubmit = (event) => {
      event.preventDefault();
      fetch('/session', { method: 'POST', body: new URLSearchParams(new FormData(form)) }).then(({ ok }) => {
        if (!ok) document.querySelector('p').textContent = 'Wrong user name or password';
      });
    };</script>`);
    for (const [handler, path] of [
      [({ path }) => (path === '/session' ? challenge : page), '/session'],
      [({ method }) => (method === 'POST' ? challenge : html(plainForm)), '/login'],
    ] as const satisfies [Handler, string][]) {
      await onStage(
        handler,
        async ({ fail, url }) => {
          const error = await fail(typed).catch((failure: unknown) => failure);
          assert.instance(error, ProbeError);
          assert.is((error as ProbeError).code, 'blocked');
          assert.match((error as ProbeError).message, `Cloudflare answered ${url}${path} instead of the site`);
        },
        browsers,
      );
    }
  },
);

test('a limit on logins is the site’s own word', async ({ browsers }) => {
  await onStage(
    ({ method }) => (method === 'POST' ? html('<p>Too many requests</p>', 429) : html(plainForm)),
    async ({ fail }) => assert.is((await fail(typed)).failure, 'rate_limited'),
    browsers,
  );
});

test('a limit on logins that has passed meanwhile is waited for', async ({ browsers }) => {
  let refused = 0;
  await onStage(
    ({ method, path, body, headers }) => {
      if (method === 'POST' && refused++ < 1) return html('<p>Too many login attempts. Try again later.</p>', 429);
      const isRight = method === 'POST' && new URLSearchParams(body).get('secret') === dora.password;
      if (isRight) return { status: 303, headers: { location: '/', 'set-cookie': 'sid=5; Path=/' }, body: '' };
      const isIn = headers.cookie?.includes('sid=5');
      return html(path === '/' && isIn ? `<p>Hello ${dora.username}, your tides</p>` : plainForm);
    },
    async ({ prove }) =>
      assert.match((await prove({ case: 'form', value: { url: '/login', ...dora } })).mark.marker, dora.username),
    browsers,
  );
});

test('the address that a login form is sent to stands for its page, which is the first one', async ({ browsers }) => {
  await onStage(
    ({ method, path, body, headers }) => {
      if (path === '/login' && method !== 'POST') return html('<p>Method not allowed</p>', 405);
      const isRight = method === 'POST' && new URLSearchParams(body).get('secret') === dora.password;
      if (isRight) return { status: 303, headers: { location: '/', 'set-cookie': 'sid=5; Path=/' }, body: '' };
      return html(headers.cookie?.includes('sid=5') ? `<p>Hello ${dora.username}, your tides</p>` : plainForm);
    },
    async ({ prove }) =>
      assert.match((await prove({ case: 'form', value: { url: '/login', ...dora } })).mark.marker, dora.username),
    browsers,
  );
});

test.run();
