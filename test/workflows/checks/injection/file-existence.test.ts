import { execSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileExistence } from '../../../../workflows/checks/injection/file-existence.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further, usualRows } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite<{ root: string }>('injection.file-existence');
test.before((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(context.root, 'docs'));
  writeFileSync(join(context.root, 'docs', 'prices.txt'), 'Lamp 35');
});
test.after(({ root }) => rmSync(root, { recursive: true }));

type Shows = (path: string, name: string) => ReturnType<typeof html>;

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();
const sized: Shows = (path, name) =>
  isFile(path)
    ? html(`<p>The file has ${statSync(path).size} bytes</p>`)
    : html(`<p>Could not open ${escapeHtml(name)}</p>`);

const vulnerable: Record<string, { shows: Shows; method?: 'post' }> = {
  'says its size': { shows: sized },
  'says that it was opened, by the whole path': {
    shows: (path) =>
      html(
        `<p>${isFile(path) ? 'Ready to write to' : 'Cannot open'} ${escapeHtml(path)} (${isFile(path) ? 'append' : 'none'})</p>`,
      ),
  },
  'says that it is queued, after a form was sent': {
    shows: (path) =>
      html(isFile(path) ? '<p>Queued for printing</p>' : '<p>There is no such thing</p>', isFile(path) ? 200 : 404),
    method: 'post',
  },
};

const siteOf =
  (root: string, shows: Shows, clean: (name: string) => string, method = 'get'): Handler =>
  ({ path, query, body }) => {
    if (path === '/' && method === 'get') return html('<a href="/print?sheet=prices.txt">prices</a>');
    if (path === '/')
      return html(
        '<form method="post" action="/print"><input name="sheet" value="prices.txt"><button>Preview</button></form>',
      );
    if (path !== '/print') return undefined;
    const name = (method === 'get' ? query.get('sheet') : new URLSearchParams(body).get('sheet')) ?? '';
    return shows(join(root, 'docs', clean(name)), name);
  };

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, fileExistence, { depth: 'deep', writes: 'create' });
  } finally {
    await site.close();
  }
}

for (const [what, { shows, method }] of usualRows(vulnerable, [
  'says its size',
  'says that it was opened, by the whole path',
])) {
  test(`a file outside of the folder of which a page ${what} is found, and none where the name alone is taken`, async ({
    root,
  }) => {
    const found = await result(siteOf(root, shows, String, method));
    const twin = await result(siteOf(root, shows, basename, method));
    assert.equal(places(found), [`${method === 'post' ? 'POST' : 'GET'} /print sheet`], found.outcome.reason);
    assert.equal([twin.outcome.kind, twin.findings], ['clean', []], twin.outcome.reason);
  });
}

further(test)(
  'a folder whose page knows no file by the value of its form, and says only what is missing, is found',
  async ({ root }) => {
    const shows: Shows = (path) => html(existsSync(path) ? '<p>available</p>' : '<p>not available</p>');
    const form = (clean: (name: string) => string): Handler => {
      const rest = siteOf(root, shows, clean, 'post');
      return (request) =>
        request.path === '/'
          ? html(
              '<form method="post" action="/print"><input name="sheet" value="Prices"><button>Preview</button></form>',
            )
          : rest(request);
    };
    assert.equal(places(await result(form(String))), ['POST /print sheet']);
    assert.equal(places(await result(form(basename))), []);
  },
);

further(test)(
  'a firewall that knows the names of system files, and a page that takes any name, are no findings',
  async ({ root }) => {
    const guarded = await result((request) =>
      /etc\/(?:hosts|passwd)/.test(request.query.get('sheet') ?? '')
        ? html('<p>Blocked</p>')
        : siteOf(root, sized, basename)(request),
    );
    const anchored = await result((request) =>
      /etc\/(?:hosts|passwd)$/.test(request.query.get('sheet') ?? '')
        ? html('<p>Blocked</p>')
        : siteOf(root, sized, basename)(request),
    );
    const any = await result(siteOf(root, (_, name) => html(`<p>Printing ${escapeHtml(name)}</p>`), String));
    assert.equal([places(guarded), places(anchored), places(any)], [[], [], []]);
  },
);

test('a page that leads to its files from the folder of the path that it was asked for is no finding', async () => {
  const based = await result(({ path, query }) => {
    if (path === '/') return html('<a href="/print?sheet=prices.txt">prices</a>');
    const folder = dirname(normalize(`/${(query.get('sheet') ?? '').replaceAll('../', '')}`));
    return path === '/print'
      ? html(`<link rel="stylesheet" href="/print${folder}/look.css"><p>No such sheet</p>`)
      : undefined;
  });
  assert.equal(places(based), []);
});

test('a page that repeats the part of the path before the last one is no finding', async () => {
  const found = await result(({ path, query }) => {
    if (path === '/') return html('<a href="/print?sheet=docs/prices">prices</a>');
    const task =
      (query.get('sheet') ?? '')
        .split('/')
        .filter((part) => part !== '.')
        .at(-2) ?? 'none';
    return path === '/print'
      ? html(`<p>Welcome</p><script>start({"task":"login","from":"${escapeHtml(task)}"})</script>`)
      : undefined;
  });
  assert.is(found.outcome.kind, 'clean', places(found).join());
});

further(test)('a command line, which names files for the program that it runs, is none', async ({ root }) => {
  const listed = (line: string): string => {
    try {
      return execSync(line, {
        cwd: join(root, 'docs'),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 5_000,
      });
    } catch (error) {
      return String((error as { stdout?: string }).stdout ?? '');
    }
  };
  const site = (run: (name: string) => string) =>
    siteOf(root, (_, name) => html(`<p>${escapeHtml(run(name)) || 'Nothing'}</p>`), String);
  const isThere = (name: string) => (existsSync(join(root, name)) ? 'It is there' : '');
  assert.equal(places(await result(site(isThere))).length, 1);
  assert.equal(places(await result(site((name) => listed(`stat -c 'It is there' ${name}`)))), []);
});

further(test)(
  'a folder outside is found where a page lists what is in a folder that a value names',
  async ({ root }) => {
    const listing =
      (clean: (name: string) => string): Handler =>
      ({ path, query }) => {
        if (path === '/') return html('<a href="/list?folder=docs">documents</a>');
        const folder = join(root, clean(query.get('folder') ?? ''));
        if (path !== '/list') return undefined;
        const isThere = existsSync(folder) && statSync(folder).isDirectory();
        return html(
          isThere
            ? readdirSync(folder)
                .map((name) => `<li>${name}</li>`)
                .join('')
            : '<p>No such folder</p>',
        );
      };
    assert.equal(places(await result(listing(String))), ['GET /list folder']);
    assert.equal(places(await result(listing(basename))), []);
  },
);

test.run();
