import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { cookieInputs } from '../../../../workflows/checks/inputs/cookie-inputs.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openLamps } from '../../../scorecard/sites/lamp-database.ts';
import { startPostingShop } from '../../../scorecard/sites/posting-shop.ts';
import { startScriptedShop } from '../../../scorecard/sites/scripted-shop.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite('inputs of requests that need something of their page');

const run = promisify(execFile);

test('a form with a token for one time is tried, and the commands get token and cookie anew', async () => {
  const site = await startPostingShop(
    '<input name="text" value="lamp">',
    ({ text }, database) => {
      try {
        const rows = database.prepare(`SELECT title FROM lamps WHERE title LIKE '%${text}%'`).all();
        return rows.map(({ title }) => `<li>${title}</li>`).join('');
      } catch {
        return 'none';
      }
    },
    openLamps(),
  );
  try {
    const found = await runOn(site.url, sqlBoolean);
    assert.equal(places(found), ['POST /catalogue/search text'], found.outcome.reason);
    const { curl = '' } = found.findings[0]?.proof ?? {};
    const { stdout } = await run('bash', [
      '-c',
      curl.replaceAll('curl -', `curl --resolve '*:${new URL(site.url).port}:127.0.0.1' -`),
    ]);
    assert.is(stdout.match(/<h1>Results<\/h1>/g)?.length, 2, stdout);
    assert.match(stdout, 'Desk lamp');
    assert.not.match(stored(found), /shop_session=[0-9a-f]{8}-/);
  } finally {
    await site.close();
  }
});

further(test)(
  'what the script of a page sends when somebody searches is an input, with the token of its cookie',
  async () => {
    const site = await startScriptedShop(({ text }) => [{ title: text }], openLamps());
    const browsers = testBrowsers();
    try {
      const audit = await openAudit(site.url, { browsers });
      const { inputs } = audit.context.surface;
      assert.equal(
        inputs.map(({ parameter, sample }) => `${parameter}=${sample}`),
        ['filter.text=test', 'filter.max=50', 'page=1'],
      );
      assert.equal(inputs[0]?.page?.tokens, [{ header: 'x-xsrf-token', cookie: 'XSRF-TOKEN' }]);
      assert.is((await check(audit, sqlBoolean)).outcome.kind, 'clean');
      await audit.close();
    } finally {
      await browsers.close();
      await site.close();
    }
  },
);

further(test)('a field that is no search is typed into by nobody', async () => {
  const site = await startSite(({ path }) =>
    path === '/'
      ? html(`<div id="a"></div><script>
          a.innerHTML = '<form><input name="find" required><input type="email"></form><input name="coupon"><button>Go</button>';
          document.onkeydown = () => fetch('/typed', { method: 'POST', body: 'x' });
        </script>`)
      : undefined,
  );
  const browsers = testBrowsers();
  try {
    const audit = await openAudit(site.url, { browsers });
    await audit.close();
    assert.not.ok(site.requests.some((request) => request.startsWith('POST')));
  } finally {
    await browsers.close();
    await site.close();
  }
});

test('cookies that anybody is given are inputs; sessions and tokens are not', async () => {
  const page = {
    url: 'https://shop.example/',
    status: 200,
    contentType: '',
    headers: [],
    title: '',
    scripts: [],
    source: '',
  };
  const setCookies = [
    'theme=dark; Path=/',
    'PHPSESSID=a1b2c3; HttpOnly',
    'XSRF-TOKEN=abc',
    'gone=; Max-Age=0',
    'settings=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; path=/',
    'view=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT',
    'track=x%27y',
  ];
  const inputs = cookieInputs({
    pages: [
      { ...page, setCookies },
      { ...page, setCookies },
    ],
  });
  assert.equal(
    inputs.map(({ parameter, sample }) => `${parameter}=${sample}`),
    ['theme=dark', "track=x'y"],
  );
});

test.run();
