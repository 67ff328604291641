import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { upload } from '../../../../workflows/checks/injection/upload.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, runOn, testBrowsers } from '../harness.ts';

const test = suite('pages under numbers that show the same');

const browsers = testBrowsers();
test.after(() => browsers.close());

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

/** Pages under numbers, of which each takes a picture in its own way and links to it. @param opens under which number a file is a page */
function galleries(opens: number | undefined, heading: (number: number) => string): Handler {
  const kept = new Map<string, { number: number; content: string }>();
  return ({ path, method, body }) => {
    if (path === '/') return html([1, 2, 3].map((number) => `<a href="/gallery/${number}">Gallery</a>`).join(' '));
    const file = kept.get(path);
    if (file) {
      const type = file.number === opens ? 'text/html' : 'application/octet-stream';
      return { headers: { 'content-type': type }, body: file.content };
    }
    const number = Number(/^\/gallery\/([123])$/.exec(path)?.[1]);
    if (Number.isNaN(number)) return undefined;
    if (method === 'POST') {
      const [, name = '', content = ''] = /filename="([^"]*)"[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(body) ?? [];
      kept.set(`/kept/${number}/${name}`, { number, content });
      return html(`<a href="/kept/${number}/${name}">Your picture</a>`);
    }
    const field = '<input type="file" name="picture"><button>Upload</button>';
    return html(
      `<h1>${heading(number)}</h1><form method="post" enctype="multipart/form-data" action="${path}">${field}</form>`,
    );
  };
}

async function uploads(handler: Handler) {
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
  try {
    const { findings } = await check(audit, upload);
    const paths = audit.lasting.map(({ place }) => new URL(place).pathname);
    return { found: findings.map(({ location }) => new URL(location?.url ?? '').pathname), sent: new Set(paths).size };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('each form that takes a file is tried where its number names a program', async () => {
  assert.equal((await uploads(galleries(3, () => 'Pictures'))).found, ['/gallery/3']);
  assert.equal(await uploads(galleries(undefined, () => 'Pictures')), { found: [], sent: 3 });
});

test('one form stands for the others where each number shows another thing', async () => {
  assert.is((await uploads(galleries(undefined, (number) => things[number - 1] ?? ''))).sent, 1);
});

test.run();
