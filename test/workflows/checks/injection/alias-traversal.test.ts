import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { aliasTraversal } from '../../../../workflows/checks/injection/alias-traversal.check.ts';
import { html } from '../../../fixtures/site.ts';
import { cases } from '../../../scorecard/cases/standard/injection/alias-traversal.ts';
import { startAlias } from '../../../scorecard/sites/alias-folders.ts';
import { runOn } from '../harness.ts';

const test = suite('injection.alias-traversal');

async function foundOn(start: () => ReturnType<typeof startAlias>) {
  const site = await start();
  try {
    const { findings } = await runOn(site.url, aliasTraversal);
    return findings.map(({ severity, locations = [] }) => {
      const word = severity === Severity.HIGH ? 'high' : 'medium';
      return `${word} ${new URL(locations[0]?.url ?? '').pathname}`;
    });
  } finally {
    await site.close();
  }
}

test('what lies beside the folder is read, and nothing where the location ends with a slash', async () => {
  const expected = ['high /assets../.env', 'medium /cdn../static/js/site.js', 'high /files../app.py'];
  for (const [index, { name, start }] of cases.entries()) {
    assert.equal(await foundOn(() => start('vulnerable') as ReturnType<typeof startAlias>), [expected[index]], name);
    assert.equal(await foundOn(() => start('patched') as ReturnType<typeof startAlias>), [], name);
  }
});

test('a program that serves a folder under another name than its own is left by its usual names', async () => {
  const program = {
    ...{ directory: 'public/', page: '<link rel="stylesheet" href="/assets/shop.css"><h1>Jugs</h1>' },
    files: { 'public/shop.css': 'h1 { color: #a50 }', 'app.py': 'import os\n\nKEY = "q"\n' },
  };
  assert.equal(await foundOn(() => startAlias({ ...program, location: '/assets' })), ['high /assets../app.py']);
  assert.equal(await foundOn(() => startAlias({ ...program, location: '/assets/' })), []);
});

const css = 'body { color: #123 }';
const page = '<link rel="stylesheet" href="/assets/site.css"><h1>Kiosk</h1>';
const honest = { location: '/assets/', directory: 'assets/', page, server: 'nginx', files: { 'assets/site.css': css } };

test('a directory above that the site serves anyway is no way out', async () => {
  const served = {
    ...honest,
    location: '/assets',
    files: { ...honest.files, 'index.html': page, 'package.json': '{"scripts": {}}' },
  };
  const others = (path: string) => (path === '/package.json' ? { body: '{"scripts": {}}' } : undefined);
  assert.equal(await foundOn(() => startAlias({ ...served, others })), []);
});

test('a file that is given for any folder before it, and a page for any address, are no way out', async () => {
  const byName = (path: string) => (path.endsWith('/site.css') ? { body: css } : undefined);
  assert.equal(await foundOn(() => startAlias({ ...honest, others: byName })), []);
  const everything = (path: string) => (path === '/robots.txt' ? undefined : html(page));
  assert.equal(await foundOn(() => startAlias({ ...honest, others: everything })), []);
  const settings = (path: string) =>
    path === '/assets/site.css' ? { body: css } : { body: 'APP_ENV=1\nDB_PASSWORD=x\n' };
  assert.equal(await foundOn(() => startAlias({ ...honest, others: settings })), []);
});

test.run();
