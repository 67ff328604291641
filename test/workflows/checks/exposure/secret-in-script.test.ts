import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { secretInScript } from '../../../../workflows/checks/exposure/secret-in-script.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.secret-in-script');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, secretInScript);
  } finally {
    await site.close();
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = [...randomBytes(32)].map((byte) => alphabet[byte % 62]).join('');
const secret = `sk_live_${random}`;

const script = (text: string) => ({ headers: { 'content-type': 'application/javascript' }, body: text });
const site =
  (text: string, home = '<script src="/assets/app.js"></script>'): Handler =>
  ({ path }) =>
    path === '/' ? html(home) : path === '/assets/app.js' ? script(text) : undefined;

const exposed: Record<string, [Handler, string]> = {
  'in a script file': [site(`!function(){const t={stripe:"${secret}"};go(t)}();`), '/assets/app.js'],
  'in a script of the page': [site('', `<script>window.config = { payment: '${secret}' };</script>`), '/'],
  'in a script of a page that is shown for every path': [() => html(`<script>const key = "${secret}"</script>`), '/'],
  'in data that a script loads': [
    ({ path }) =>
      path === '/'
        ? html('<script>fetch("/config.json")</script>')
        : path === '/config.json'
          ? json({ stripe: { key: secret } })
          : undefined,
    '/config.json',
  ],
};

for (const [what, [handler, at]] of firstRows(Object.entries(exposed), 2)) {
  test(`a secret ${what} is found, and kept nowhere`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, places(found)[0]], ['found', `GET ${at}`], found.outcome.reason);
    assert.not.match(stored(found), new RegExp(random.slice(0, 12)));
    assert.match(stored(found), /masked, 40 characters/);
  });
}

test('a random value that its name calls secret is found in a script, and left alone in data, which may show users their own', async () => {
  const own = '9f3c7a1e5b2d8846c0e17fb35a92d4e6';
  const named = await result(site(`const signing = { jwtSecret: "${own}" };`));
  assert.equal(places(named), ['GET /assets/app.js'], named.outcome.reason);
  const shown = await result(({ path }) =>
    path === '/'
      ? html('<a href="/keys.json">My keys</a>')
      : path === '/keys.json'
        ? json({ name: 'ina', apiSecret: own })
        : undefined,
  );
  assert.equal([shown.outcome.kind, places(shown)], ['clean', []]);
});

test('a key in the layout of every page is one finding', async () => {
  const found = await result(({ path }) =>
    /^\/(a|b)?$/.test(path)
      ? html(`<a href="/a">a</a><a href="/b">b</a><script>const key = "${secret}"</script>`)
      : undefined,
  );
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 3]);
});

const clean: Record<string, Handler> = {
  'uses a publishable key': site(`const key = "pk_live_${random}"`),
  'explains where to put the key': site('const key = "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"'),
  'uses a test key': site(`const key = "sk_test_${random}"`),
  'has long random names': site(`const chunk = "${random}${random}"; load("/assets/${random}.js")`),
  'has no script': () => html('hello'),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
