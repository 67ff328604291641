import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { gitRepository } from '../../../../workflows/checks/exposure/git-repository.check.ts';
import { makeRepository, type TestRepository } from '../../../fixtures/repository.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const files = { 'index.php': '<?php echo "hello";', 'config/app.php': '<?php return [];' };

const test = suite<{ loose: TestRepository; packed: TestRepository }>('exposure.git-repository');
test.before(async (context) => {
  context.loose = await makeRepository([files]);
  context.packed = await makeRepository([files], 'packed');
});
test.after(async ({ loose, packed }) => {
  await loose.remove();
  await packed.remove();
});

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, gitRepository);
  } finally {
    await site.close();
  }
}

/** A site with a repository below a folder. */
const exposing =
  (repository: TestRepository, folder = '/', refused = /^$/, options = {}): Handler =>
  ({ path }) => {
    const inside = path.startsWith(`${folder}.git/`) ? path.slice(folder.length + 5) : undefined;
    if (inside !== undefined) return refused.test(inside) ? undefined : repository.serve(inside, options);
    return path === '/'
      ? html(`<a href="${folder}index.php">home</a>`)
      : path.endsWith('.php')
        ? html('hello')
        : undefined;
  };

test('a repository whose objects are files is found by a commit that inflates', async ({ loose }) => {
  const found = await result(exposing(loose));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /.git/']], found.outcome.reason);
  assert.match(stored(found), /commit \d+␀tree [0-9a-f]{40}/);
  assert.match(
    found.findings[0]?.proof?.curl ?? '',
    new RegExp(`/objects/${loose.head.slice(0, 2)}/${loose.head.slice(2)} \\| .* gzip -cd`),
  );
});

test('the authors’ mail addresses are masked', async ({ loose }) => {
  assert.not.match(stored(await result(exposing(loose))), /dev@northwind/);
});

test('a repository below a folder of the site is found', async ({ loose }) => {
  assert.equal(places(await result(exposing(loose, '/old/shop/'))), ['GET /old/shop/.git/']);
});

test('a repository whose objects are in a pack is found by the list of packs', async ({ packed }) => {
  const found = await result(exposing(packed));
  assert.match(found.findings[0]?.proof?.curl ?? '', /objects\/pack\/pack-[0-9a-f]{40}\.pack .*\| cat -v$/);
});

test('a repository whose pack is only in a listing is found', async ({ packed }) => {
  const found = await result(exposing(packed, '/', /^objects\/info/, { listFolders: true }));
  assert.match(found.findings[0]?.proof?.curl ?? '', /\.pack /);
});

test('a repository whose pack cannot be named is found by its index, and is low: names of files are all that was read', async ({
  packed,
}) => {
  const found = await result(exposing(packed, '/', /^objects\/info/));
  assert.is(found.findings[0]?.severity, Severity.LOW);
  assert.match(found.findings[0]?.proof?.curl ?? '', /\.git\/index /);
});

test('a repository whose branches are refused is found by a file that its index names', async ({ loose }) => {
  const found = await result(exposing(loose, '/', /^(?:refs|packed-refs|logs)/));
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.HIGH], found.outcome.reason);
  assert.match(stored(found), /blob \d+␀/);
});

test('a repository whose HEAD is refused is found by what is left', async ({ packed }) => {
  assert.equal(places(await result(exposing(packed, '/', /^(HEAD|objects\/info)/))), ['GET /.git/']);
});

test('the repository is a fact for further steps', async ({ loose }) => {
  const { facts } = await result(exposing(loose));
  assert.equal(
    facts.map(({ kind }) => kind),
    ['repository', 'exposed-text'],
  );
  assert.match(facts[0]?.attributes.base ?? '', /\/\.git\/$/);
});

const clean: Record<string, Handler> = {
  'refuses hidden paths': ({ path }) => (path.includes('/.') ? html('no', 403) : html('hello')),
  'shows its home page for every path': () => html('<a href="/a/b/c">welcome</a>'),
  'answers every unknown path as a soft 404': ({ path }) => html(path === '/' ? 'hello' : `Nothing at ${path}, sorry`),
  'answers every path with a branch name': () => ({
    headers: { 'content-type': 'text/plain' },
    body: 'ref: refs/heads/main\n',
  }),
  'answers every path with a commit id': () => ({
    headers: { 'content-type': 'text/plain' },
    body: `${'ab'.repeat(20)}\n`,
  }),
  'has settings that look like those of git, and nothing else': ({ path }) =>
    path === '/.git/config' ? { body: '[core]\nrepositoryformatversion = 0\n' } : path === '/' ? html('x') : undefined,
  'redirects every unknown path home': ({ path }) =>
    path === '/' ? html('hello') : { status: 302, headers: { location: '/' } },
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a site that answers every path with a real object is clean: a random sibling has it too', async ({ loose }) => {
  const object = loose.serve(`objects/${loose.head.slice(0, 2)}/${loose.head.slice(2)}`);
  const found = await result(({ path }) =>
    path.includes('/objects/') ? object : path.endsWith('HEAD') ? { body: loose.head } : html('hello'),
  );
  assert.equal([found.outcome.kind, found.outcome.refuted], ['clean', 1]);
});

test('a catch-all site costs few requests', async () => {
  const site = await startSite(({ path }) => html(`<a href="${path}/x/">deeper</a>`));
  try {
    await runOn(site.url, gitRepository);
    const asked = site.requests.filter((request) => request.includes('.git/'));
    assert.ok(asked.length <= 40, String(asked.length));
  } finally {
    await site.close();
  }
});

further(test)(
  'a repository in a folder of files, or of a project that no page leads to, is found',
  async ({ loose }) => {
    const below = (folder: string, home: string) =>
      result(({ path }) =>
        path === '/'
          ? html(home)
          : path.startsWith(`${folder}.git/`)
            ? loose.serve(path.slice(folder.length + 5))
            : undefined,
      );
    const inTheme = await below(
      '/wp-content/themes/own/',
      '<link rel="stylesheet" href="/wp-content/themes/own/style.css">',
    );
    const inProject = await below('/app/', 'hello');
    assert.equal([places(inTheme), places(inProject)], [['GET /wp-content/themes/own/.git/'], ['GET /app/.git/']]);
  },
);

test.run();
