import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('pages under numbers that show the same');

const folder = mkdtempSync(join(tmpdir(), 'manual-'));
writeFileSync(join(folder, 'intro.txt'), 'Welcome');
test.after(() => rmSync(folder, { recursive: true }));

type Open = (name: string) => string | undefined;
const read = (path: string) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined);
const openChecked: Open = (name) => (/^\w+\.txt$/.test(name) ? read(join(folder, name)) : undefined);
/** What leads up is taken out once. */
const openFiltered: Open = (name) => read(join(folder, name.replaceAll('../', '')));

/** @param heading what a page is called by its number */
const numbered =
  (opens: readonly Open[], heading: (number: number) => string): Handler =>
  ({ path, query }) => {
    if (path === '/')
      return html(opens.map((_, index) => `<a href="/part/${index + 1}?doc=intro.txt">Open</a>`).join(' '));
    const number = Number(/^\/part\/(\d+)$/.exec(path)?.[1]);
    const text = opens[number - 1]?.(query.get('doc') ?? '');
    return text === undefined
      ? html('<p>Not found</p>', 404)
      : html(`<h1>${heading(number)}</h1><pre>${escapeHtml(text)}</pre>`);
  };

async function found(handler: Handler) {
  const site = await startSite(handler);
  try {
    const { findings } = await runOn(site.url, pathTraversal);
    const urls = findings.flatMap(({ locations = [] }) => locations.map(({ url = '' }) => url));
    return { paths: [...new Set(urls.map((url) => new URL(url).pathname))].toSorted(), requests: site.requests.length };
  } finally {
    await site.close();
  }
}

const parts = (weak: Open): Open[] => [openChecked, openChecked, openChecked, weak, openChecked, weak];

test('each is tried, since its number names a program', async () => {
  assert.equal((await found(numbered(parts(openFiltered), () => 'Manual'))).paths, ['/part/4', '/part/6']);
});

test('none of them is reported when all check the value', async () => {
  assert.equal((await found(numbered(parts(openChecked), () => 'Manual'))).paths, []);
});

const things = ['Lamp', 'Chair', 'Table', 'Shelf', 'Mirror', 'Carpet'];

test('one stands for the others where each number shows another thing', async () => {
  const open = things.map(() => openChecked);
  const [same, others] = [
    await found(numbered(open, () => 'Manual')),
    await found(numbered(open, (n) => things[n - 1] ?? '')),
  ];
  assert.equal(others.paths, []);
  assert.ok(others.requests < same.requests, `${others.requests} and ${same.requests} requests`);
});

test('one stands for the others where the number chooses nothing', async () => {
  const handler = numbered([openChecked], () => 'Manual');
  const any: Handler = (request) =>
    request.path === '/'
      ? html(things.map((_, index) => `<a href="/part/${index + 1}?doc=intro.txt">Open</a>`).join(' '))
      : handler({ ...request, path: request.path.replace(/\d+$/, '1') });
  const [own, ignored] = [
    await found(
      numbered(
        things.map(() => openChecked),
        () => 'Manual',
      ),
    ),
    await found(any),
  ];
  assert.equal(ignored.paths, []);
  assert.ok(ignored.requests < own.requests, `${ignored.requests} and ${own.requests} requests`);
});

test.run();
