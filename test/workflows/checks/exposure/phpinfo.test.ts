import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { phpinfo } from '../../../../workflows/checks/exposure/phpinfo.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.phpinfo');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, phpinfo);
  } finally {
    await site.close();
  }
}

/** As PHP writes it. */
const output = (
  title: string,
) => `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head>
<title>${title}</title><meta name="ROBOTS" content="NOINDEX,NOFOLLOW,NOARCHIVE" /></head>
<body><div class="center">
<table>
<tr class="h"><td>
<h1 class="p">PHP Version 8.2.14</h1>
</td></tr>
</table>
<table>
<tr><td class="e">System </td><td class="v">Linux web1 6.1.0 </td></tr>
</table>
<tr><td class="e">$_ENV['DB_PASSWORD']</td><td class="v">tRz8kk41</td></tr>
</div></body></html>`;
const page = { headers: { 'content-type': 'text/html; charset=UTF-8' }, body: output('PHP 8.2.14 - phpinfo()') };

test('a page at a usual name is found, and no setting is kept', async () => {
  const found = await result(({ path }) => (path === '/info.php' ? page : path === '/' ? html('x') : undefined));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /info.php']], found.outcome.reason);
  assert.match(stored(found), /It shows PHP 8\.2\.14/);
  assert.not.match(stored(found), /tRz8kk41|web1/);
});

test('a page that the site links to is found by its title, as older versions write it', async () => {
  const found = await result(({ path }) =>
    path === '/'
      ? html('<a href="/tools/about.php">about</a>')
      : path === '/tools/about.php'
        ? { ...page, body: output('phpinfo()') }
        : undefined,
  );
  assert.equal(places(found), ['GET /tools/about.php']);
});

const clean: Record<string, Handler> = {
  'has no such page': ({ path }) => (path === '/' ? html('x') : undefined),
  'answers every path with it': () => page,
  'explains it': ({ path }) =>
    html(path === '/info.php' ? `<h1>phpinfo()</h1><pre>${escapeHtml(output('phpinfo()'))}</pre>` : 'x'),
  'shows something else at such a name': ({ path }) =>
    html(path === '/info.php' ? '<h1 class="p">PHP Version 8.2.14</h1>' : 'x'),
  'refuses it': ({ path }) => (path === '/info.php' ? { ...page, status: 403 } : path === '/' ? html('x') : undefined),
};

for (const [what, handler] of Object.entries(clean)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
