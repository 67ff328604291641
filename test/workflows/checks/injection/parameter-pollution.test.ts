import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parameterPollution } from '../../../../workflows/checks/injection/parameter-pollution.check.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { innerServices } from '../../../scorecard/sites/inner-services.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';
import { resultOn, type Show } from './interpreter-sites.ts';

const test = suite('injection.parameter-pollution');
const browsers = testBrowsers();
test.after(() => browsers.close());

for (const [what, { place, start }] of firstRows(Object.entries(innerServices), 3))
  test(`a ${what} is found, and not where the value is encoded`, async () => {
    const site = await start('vulnerable');
    const found = await runOn(site.url, parameterPollution, { browsers });
    await site.close();
    assert.equal(places(found), [place], found.outcome.reason);
    const patched = await start('patched');
    const clean = await runOn(patched.url, parameterPollution, { browsers });
    await patched.close();
    assert.equal([clean.outcome.kind, places(clean)], ['clean', []], clean.outcome.reason);
  });

test('a server that resolves encoded steps in the path of its own pages is clean', async () => {
  const pages = new Map([
    ['/', '<h1>Harbour</h1><p>Ships come in at noon</p><a href="/ships">Ships</a>'],
    ['/ships', '<a href="/ship/tern">Tern</a> <a href="/ship/fern">Fern</a> <a href="/ship/marrow">Marrow</a>'],
    ['/ship/tern', '<h1>Tern</h1><p>Twelve berths</p>'],
    ['/ship/fern', '<h1>Fern</h1><p>Nine berths</p>'],
    ['/ship/marrow', '<h1>Marrow</h1><p>Four berths</p>'],
  ]);
  const site = await startSite(({ target }) => {
    const { pathname } = new URL(target.replace(/%2f/gi, '/'), 'http://any.invalid');
    return html(pages.get(pathname) ?? '<p>No such page</p>', pages.has(pathname) ? 200 : 404);
  });
  const result = await runOn(site.url, parameterPollution, { browsers });
  await site.close();
  assert.equal(places(result), [], result.outcome.reason);
});

test('so is one whose addresses end with a slash, and that leads on where a part of one is empty', async () => {
  const pages = new Map([
    ['/', '<h1>Harbour</h1><p>Ships come in at noon</p><a href="/ships/">Ships</a>'],
    [
      '/ships/',
      '<h1>All ships</h1><a href="/ships/of/tern/">Tern</a> <a href="/ships/of/fern/">Fern</a> <a href="/ships/of/marrow/">Marrow</a>',
    ],
    ['/ships/of/tern/', '<h1>Tern</h1><p>Twelve berths</p>'],
    ['/ships/of/fern/', '<h1>Fern</h1><p>Nine berths</p>'],
    ['/ships/of/marrow/', '<h1>Marrow</h1><p>Four berths</p>'],
  ]);
  const site = await startSite(({ target }) => {
    if (/.\/\//.test(target)) return { status: 301, headers: { location: target.replace(/\/{2,}/g, '/') } };
    const { pathname } = new URL(target.replace(/%2f/gi, '/'), 'http://any.invalid');
    const page = pages.get(pathname.replace(/\/{2,}/g, '/'));
    return html(page ?? '<p>No such page</p>', page === undefined ? 404 : 200);
  });
  const result = await runOn(site.url, parameterPollution, { browsers });
  await site.close();
  assert.equal(places(result), [], result.outcome.reason);
});

const ferries = ['Sea Fern', 'Old Marrow', 'Tern'];
const files = new Map([
  ['/srv/pages', 'Pages: tides, berths'],
  ['/srv/pages/tides', 'High water at seven'],
  ['/srv', 'Folders of the server: pages, accounts'],
]);
const honest: Record<string, Show> = {
  'that looks for each word of the value': (value) => {
    const words = value.toLowerCase().split(/[^a-z$!]+/);
    return ferries.filter((name) => words.some((word) => name.toLowerCase().includes(word))).join('<br>') || 'Nothing';
  },
  'that takes the beginning of the value': (value) =>
    /^tern\b/i.test(value) ? '<p>The ferry Tern leaves at ten</p>' : 'Nothing',
  'that repeats the value': (value) => `<p>You asked for ${escapeHtml(value)}</p>`,
};
for (const [which, show] of firstRows(Object.entries(honest), 3))
  test(`a page ${which} is clean`, async () => {
    const result = await resultOn(parameterPollution, '/ferry?name=tern', show);
    assert.equal(places(result), [], result.outcome.reason);
  });

test('a path that is resolved, and compared or kept below its folder, is clean, and one that is followed is not', async () => {
  const shown = (path: string): string => `<p>${files.get(path) ?? 'No such page'}</p>`;
  const resultFor = (show: Show) => resultOn(parameterPollution, '/page?page=tides', show);
  const compared = await resultFor((name) => {
    const path = resolve('/srv/pages', name);
    return path === '/srv/pages' || path.startsWith(`/srv/pages${sep}`) ? shown(path) : '<p>Not allowed</p>';
  });
  assert.equal(places(compared), [], compared.outcome.reason);
  const kept = await resultFor((name) => shown(`/srv/pages${resolve('/', name)}`.replace(/\/$/, '')));
  assert.equal(places(kept), [], kept.outcome.reason);
  const followed = await resultFor((name) => shown(resolve('/srv/pages', name)));
  assert.equal(places(followed), ['GET /page page'], followed.outcome.reason);
});

test('a program that reads files and says what it could not read is no service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  mkdirSync(join(folder, 'manual'));
  for (const name of ['tides', 'tides.txt']) writeFileSync(join(folder, 'manual', name), 'High water at seven');
  const read = (path: string): string => {
    try {
      return `<p>${readFileSync(path, 'utf8')}</p>`;
    } catch (error) {
      return `<p>Warning</p><p>${escapeHtml(String(error))}</p>`;
    }
  };
  for (const suffix of ['', '.txt']) {
    const result = await resultOn(parameterPollution, '/page?page=tides', (name) =>
      read(join(folder, 'manual', `${name}${suffix}`)),
    );
    assert.equal(places(result), [], result.outcome.reason);
  }
  rmSync(folder, { recursive: true });
});

test.run();
