import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountsShownBy } from '../../../../workflows/checks/logins/accounts-shown.ts';
import { loginsOf } from '../../../../workflows/checks/logins/login.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { further } from '../../../support/further.ts';
import { openAudit } from '../harness.ts';

const login =
  '<form method="post"><input name="user"><input type="password" name="pass"><button>Log in</button></form>';
const test = suite('logins/accounts-shown');
const browsers = testBrowsers();
test.after(() => browsers.close());

test('an account is read from a script of the first page, though the login has another one, and not from a library', async () => {
  const code = (name: string) => `const DEV_USER = '${name}';\nconst DEV_PASS = '${name}-2031';`;
  const scripts: Record<string, string> = { '/site.js': code('kim'), '/jquery.js': code('lea'), '/login.js': '' };
  const site = await startSite(({ path }) => {
    if (path === '/')
      return html('<a href="/login">Staff</a><script src="/site.js"></script><script src="/jquery.js"></script>');
    if (path === '/login') return html(`${login}<script src="/login.js"></script>`);
    return path in scripts ? { headers: { 'content-type': 'text/javascript' }, body: scripts[path] ?? '' } : undefined;
  });
  const audit = await openAudit(site.url, {});
  try {
    const [place] = loginsOf(audit.context.surface);
    assert.ok(place);
    const found = await accountsShownBy(audit.context, place);
    assert.equal(
      found.map(({ pair }) => pair),
      [['kim', 'kim-2031']],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

test('what a script by the name of a login has is in a script, and not for readers of a page', async () => {
  const code = "var debugUser = { user: 'kim', password: 'kim-2031' };";
  const site = await startSite(({ path }) => {
    if (path === '/')
      return html(`${login}<a href="/assets/login.js">Source</a><script src="/assets/login.js"></script>`);
    return path === '/assets/login.js' ? { headers: { 'content-type': 'text/javascript' }, body: code } : undefined;
  });
  const audit = await openAudit(site.url, {});
  try {
    const [place] = loginsOf(audit.context.surface);
    assert.ok(place);
    assert.equal(await accountsShownBy(audit.context, place), [{ pair: ['kim', 'kim-2031'], in: 'script' }]);
  } finally {
    await audit.close();
    await site.close();
  }
});

further(test)('an account is read from what a script asks for and writes into the page', async () => {
  const script =
    "fetch('/hint').then((answer) => answer.json()).then(({ who, code }) => { document.querySelector('p').textContent = 'Sign in as ' + who + ' with the password ' + code })";
  const site = await startSite(({ path }) => {
    if (path === '/hint') return json({ who: 'kim', code: 'kim-2031' });
    if (path === '/') return html(`${login}<p></p><script>${script}</script>`);
    return undefined;
  });
  const audit = await openAudit(site.url, { browsers });
  try {
    const [place] = loginsOf(audit.context.surface);
    assert.ok(place);
    const found = await accountsShownBy(audit.context, place);
    assert.equal(
      found.map(({ pair }) => pair),
      [['kim', 'kim-2031']],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

for (const [source, expected] of [
  ['// for the tablet: login: kim, password: kim-2031\nstart();', [['kim', 'kim-2031']]],
  ['// login of the tablet: see the safe\nstart();', []],
] as const)
  test(`of a script that was made smaller the sources in its map are read: ${source.slice(0, 30)}`, async () => {
    const map = { version: 3, sources: ['../src/app.js'], sourcesContent: [source], names: [], mappings: 'AAAA' };
    const body = 'start()\n//# sourceMappingURL=app.min.js.map';
    const site = await startSite(({ path }) => {
      if (path === '/') return html(`${login}<script src="/app.min.js"></script>`);
      if (path === '/app.min.js') return { headers: { 'content-type': 'text/javascript' }, body };
      return path === '/app.min.js.map' ? json(map) : undefined;
    });
    const audit = await openAudit(site.url, {});
    try {
      const [place] = loginsOf(audit.context.surface);
      assert.ok(place);
      assert.equal(
        (await accountsShownBy(audit.context, place)).map(({ pair, in: where }) => [pair, where]),
        expected.map((pair) => [pair, 'file']),
      );
    } finally {
      await audit.close();
      await site.close();
    }
  });

further(test)('an account is read from any page of a small site, and not of a large one', async () => {
  for (const [pages, expected] of [
    [3, [['kim', 'kim-2031']]],
    [30, []],
  ] as const) {
    const links = Array.from(
      { length: pages },
      (_, index) => `<a href="/tours/tour-${'abcdef'[index % 6]}${index}">x</a>`,
    );
    const site = await startSite(({ path }) => {
      if (path === '/') return html(`${login}${links.join('')}`);
      return path.startsWith('/tours/') ? html('<!-- test account: kim / kim-2031 --><p>A tour</p>') : undefined;
    });
    const audit = await openAudit(site.url, {});
    try {
      const [place] = loginsOf(audit.context.surface);
      assert.ok(place);
      const found = await accountsShownBy(audit.context, place);
      assert.equal(
        found.map(({ pair }) => pair),
        expected,
      );
    } finally {
      await audit.close();
      await site.close();
    }
  }
});

test.run();
