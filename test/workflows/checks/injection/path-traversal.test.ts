import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { type Answer, escapeHtml, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { checkAgain, openAudit, places, runOn, stored } from '../harness.ts';

const test = suite<{ root: string }>('injection.path-traversal');
test.before((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(context.root, 'docs'));
  writeFileSync(join(context.root, 'docs', 'prices.txt'), 'Lamp 35');
  writeFileSync(join(context.root, 'docs', 'app.js'), 'let a = 1;');
  writeFileSync(join(context.root, 'docs', 'prices'), 'Lamp 35');
});
test.after(({ root }) => rmSync(root, { recursive: true }));

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return { ...(await runOn(site.url, pathTraversal)), requests: site.requests };
  } finally {
    await site.close();
  }
}

const read = (path: string): Answer | undefined =>
  existsSync(path) && statSync(path).isFile()
    ? { headers: { 'content-type': 'text/plain' }, body: readFileSync(path) }
    : undefined;

const serving =
  (open: (name: string) => Answer | undefined, parameter = 'file', sample = 'prices.txt'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/open?${parameter}=${encodeURIComponent(sample)}">prices</a>`);
    return path === '/open' ? (open(query.get(parameter) ?? '') ?? html('<p>No such file</p>', 404)) : undefined;
  };

type Opens = (root: string) => (name: string) => Answer | undefined;

const vulnerable: Record<string, Opens> = {
  'joined to a folder': (root) => (name) => read(join(root, 'docs', name)),
  'taken as it is': (root) => (name) =>
    read(name.startsWith('/') && !name.includes('..') ? name : join(root, 'docs', 'none')),
  'from which "../" is removed once': (root) => (name) => read(join(root, 'docs', name.replaceAll('../', ''))),
  'from which "../" and then "./" are removed once': (root) => (name) =>
    read(join(root, 'docs', name.replaceAll('../', '').replaceAll('./', ''))),
  'from which "./" and then "../" are removed once': (root) => (name) =>
    read(join(root, 'docs', name.replaceAll('./', '').replaceAll('../', ''))),
  'that may begin neither with dots that lead up nor with a slash': (root) => (name) =>
    /^(?:\.\.|\/)/.test(name) ? undefined : read(join(root, 'docs', name)),
  'that is decoded once more': (root) => (name) =>
    name.includes('../') || name.startsWith('/') ? undefined : read(join(root, 'docs', decodeURIComponent(name))),
  'that is decoded once more, and refused with a slash': (root) => (name) =>
    /\/|\.\./.test(name) ? undefined : read(join(root, 'docs', decodeURIComponent(name))),
  'cut at a NUL, with an ending that is looked at': (root) => (name) =>
    name.endsWith('.txt') ? read(join(root, 'docs', name.split('\0')[0] ?? '')) : undefined,
  'whose content stands in a page': (root) => (name) => {
    const found = read(join(root, 'docs', name));
    return found && html(`<pre>${escapeHtml(String(found.body))}</pre>`);
  },
  'whose content stands in JSON with escaped slashes': (root) => (name) => {
    const found = read(join(root, 'docs', name));
    return found && { body: JSON.stringify({ content: String(found.body) }).replaceAll('/', '\\/') };
  },
  'whose content stands in JSON': (root) => (name) => {
    const found = read(join(root, 'docs', name));
    return found && json({ content: String(found.body) });
  },
};

const behindFolder: Record<string, Opens> = {
  'that may not lead up right behind the folder': (root) => (name) =>
    name.startsWith('docs/../') ? undefined : read(join(root, name)),
  'from which "../" is removed once': (root) => (name) => read(join(root, name.replaceAll('../', ''))),
  'that is decoded once more': (root) => (name) =>
    name.includes('../') ? undefined : read(join(root, decodeURIComponent(name))),
  'cut at a NUL, with an ending that is looked at': (root) => (name) =>
    name.endsWith('.txt') ? read(join(root, name.split('\0')[0] ?? '')) : undefined,
};

further(test)(
  'a value that has to begin with the folder of the site’s own is found past each filter as well',
  async ({ root }) => {
    for (const [what, opens] of Object.entries(behindFolder)) {
      const begins = (name: string) => (name.startsWith('docs/') ? opens(root)(name) : undefined);
      assert.equal(places(await result(serving(begins, 'file', 'docs/prices.txt'))), ['GET /open file'], what);
      const inside = (name: string) =>
        resolve(root, name).startsWith(join(root, 'docs') + sep) ? begins(name) : undefined;
      const decoded = (name: string) => (/%|\0|\.\./.test(name) ? undefined : inside(name));
      assert.equal(places(await result(serving(decoded, 'file', 'docs/prices.txt'))), [], what);
    }
  },
);

/** As PHP's `include($page . '.php')` does, which opens streams by its own filters as well. */
const included = (path: string): Answer | undefined => {
  const resource = /^php:\/\/filter\/convert\.base64-encode\/resource=(.*)$/s.exec(path)?.[1];
  const found = resource === undefined ? undefined : read(resource);
  return found && html(`<main>${Buffer.from(String(found.body)).toString('base64')}</main>`);
};

Object.assign(vulnerable, {
  'that is decoded once more, without dots and slashes': (root: string) => (name: string) =>
    /[./]/.test(name) ? undefined : read(join(root, 'docs', decodeURIComponent(name))),
  'whose content stands in a page with all signs as references': (root: string) => (name: string) => {
    const found = read(join(root, 'docs', name));
    return found && html(escapeHtml(String(found.body)).replaceAll('/', '&#x2F;').replaceAll('\n', '&#10;'));
  },
  'of which the well-known ones are refused': () => (name: string) =>
    /etc\/passwd|\.\./.test(name) ? undefined : read(name),
  'that is an address with an ending that is looked at': () => (name: string) =>
    name.endsWith('.txt') && URL.canParse(name) && /^file:/i.test(name) && !name.startsWith('file:')
      ? read(new URL(name).pathname)
      : undefined,
} satisfies Record<string, Opens>);

for (const [what, open] of firstRows(Object.entries(vulnerable), 4)) {
  test(`a name ${what} is found`, async ({ root }) => {
    const found = await result(serving(open(root)));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /open file']], found.outcome.reason);
  });
}

further(test)(
  'a name that gets an ending where it has none, and from which "../" is removed once, is found',
  async ({ root }) => {
    const ended = (name: string) => (/\.[^/]*$/.test(name) ? name : `${name}.txt`);
    const found = await result(
      serving((name) => read(join(root, 'docs', ended(name.replaceAll('../', '')))), 'file', 'prices'),
    );
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /open file']], found.outcome.reason);
    const patched = await result(serving((name) => read(join(root, 'docs', ended(basename(name)))), 'file', 'prices'));
    assert.equal(places(patched), [], patched.outcome.reason);
  },
);

further(test)('a folder of files from whose paths "../" is removed once is found', async ({ root }) => {
  for (const [nameOf, expected] of [
    [(path: string) => path.replaceAll('../', ''), ['GET /assets/x 2']],
    [(path: string) => basename(path), []],
  ] as const) {
    const found = await result(({ path }) => {
      if (path === '/') return html('<script src="/assets/app.js"></script>');
      return path.startsWith('/assets/') ? read(join(root, 'docs', nameOf(path.slice('/assets/'.length)))) : undefined;
    });
    assert.equal(places(found), expected, found.outcome.reason);
  }
});

if (isHere('php'))
  further(test)(
    'a page that PHP includes past words that are refused gives its source, and not where it is looked up',
    async ({ root }) => {
      writeFileSync(join(root, 'docs', 'home.php'), '<?php echo "<h2>Home</h2>"; $secret = "none of yours";');
      const included = (guard: string) => (given: string) => {
        const name = given.replaceAll('\0', '');
        const refused = '/php:|base64|\\.\\.|^\\/|http|data:|file:/';
        const code = `if (preg_match("${refused}", $argv[1])${guard}) die("No page"); @include $argv[1].".php";`;
        const { stdout } = spawnSync('php', ['-r', code, '--', name], { cwd: join(root, 'docs'), encoding: 'utf8' });
        return html(stdout);
      };
      const found = await result(serving(included(''), 'page', 'home'));
      assert.equal(places(found), ['GET /open page'], found.outcome.reason);
      const patched = await result(serving(included(' || $argv[1] !== "home"'), 'page', 'home'));
      assert.equal(places(patched), [], patched.outcome.reason);
    },
  );

further(test)(
  'a cookie that a form gives names a file, though a field of that form is called like it',
  async ({ root }) => {
    const looks =
      (nameOf: (cookie: string) => string): Handler =>
      ({ path, method, body, cookies }) => {
        if (path !== '/') return undefined;
        const sheet = new URLSearchParams(body).get('sheet');
        if (method === 'POST')
          return { status: 302, headers: { location: '/', 'set-cookie': `sheet=${sheet}.txt; Path=/` } };
        const found = read(join(root, 'docs', nameOf(cookies.sheet ?? 'prices.txt')));
        return html(
          `<style>${found?.body ?? ''}</style><form method="post"><select name="sheet"><option>prices<option>other</select><button>Set sheet</button></form>`,
        );
      };
    for (const [nameOf, expected] of [
      [(cookie: string) => decodeURIComponent(cookie).replaceAll('../', ''), ['GET / sheet']],
      [(cookie: string) => basename(decodeURIComponent(cookie)), []],
    ] as const) {
      const site = await startSite(looks(nameOf));
      const audited = { depth: 'deep', writes: 'create', followsLeads: true } as const;
      const found = await runOn(site.url, pathTraversal, audited);
      await site.close();
      assert.equal(places(found), expected, found.outcome.reason);
    }
  },
);

for (const encoding of firstRows(['base64', 'base64url', 'hex'] as const, 1)) {
  const decoded = (value: string): string => Buffer.from(value, encoding).toString();
  const sample = Buffer.from('prices.txt').toString(encoding);

  test(`a name in ${encoding} is found`, async ({ root }) => {
    const open = (value: string) => read(join(root, 'docs', decoded(value)));
    const found = await result(serving(open, 'd', sample));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /open d']], found.outcome.reason);
    assert.match(stored(found), /‹written/);
  });

  test(`a name in ${encoding} that is looked up, or shown as it is, is clean`, async ({ root }) => {
    const open = (value: string) =>
      decoded(value) === 'prices.txt' ? read(join(root, 'docs', 'prices.txt')) : html(escapeHtml(decoded(value)));
    const found = await result(serving(open, 'd', sample));
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });
}

test('a parameter of any name is tried', async ({ root }) => {
  assert.equal(places(await result(serving((name) => read(join(root, 'docs', name)), 'zz', 'prices'))), [
    'GET /open zz',
  ]);
});

const topics =
  (open: (name: string) => Answer | undefined): Handler =>
  ({ path, query }) =>
    path === '/'
      ? html('<a href="/help?topic=prices">Prices</a>')
      : (open(query.get('topic') ?? '') ?? html('<p>No such topic</p>'));

further(test)('a parameter of any name is tried further where its value is a path', async ({ root }) => {
  const found = await result(topics((name) => read(join(root, 'docs', name.replaceAll('../', '')))));
  assert.equal(places(found), ['GET /help topic']);
});

further(test)('a name of a file that is a key, and words of a search, are sent few paths', async ({ root }) => {
  const open = (name: string) => (name === 'prices' ? read(join(root, 'docs', name)) : undefined);
  const keys = await result(topics(open));
  const words = await result(topics((name) => open(name.replace(/\W/g, ''))));
  for (const { findings, requests } of [keys, words]) {
    assert.equal(findings, []);
    const sent = requests.filter((request) => request.includes('topic='));
    assert.ok(sent.length <= 8, `${sent.length}: ${sent}`);
  }
});

test('where a page shows the file anyway, another one is asked for', async ({ root }) => {
  const passwd = '<pre>root:x:0:0:root:/root:/bin/bash</pre>';
  const found = await result(
    serving((name) => {
      const file = read(join(root, 'docs', name));
      return html(`<p>For instance:</p>${passwd}<pre>${file ? escapeHtml(String(file.body)) : ''}</pre>`);
    }),
  );
  assert.equal(places(found), ['GET /open file']);
  assert.match(stored(found), /etc%2Fgroup/);
});

for (const [how, decode] of Object.entries<(path: string) => string>({
  'dots as they are': (path) => (path.includes('%') ? '' : path),
  'encoded slashes': (path) => (path.includes('/../') ? '' : decodeURIComponent(path)),
  'twice encoded slashes': (path) =>
    /\/\.\.\/|%2e|\.\.%2f/i.test(path) ? '' : decodeURIComponent(decodeURIComponent(path)),
})) {
  test(`a folder of static files that is left by ${how} is found`, async ({ root }) => {
    const found = await result(({ target }) => {
      if (target === '/') return html('<script src="/docs/app.js"></script>');
      const decoded = decode(target);
      return decoded.startsWith('/docs/') ? read(join(root, decoded)) : undefined;
    });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });
}

for (const [what, markup] of Object.entries({
  'a style': '<link rel=stylesheet href="/docs/site.css">',
  'a picture': '<img src="/docs/lamp.webp" alt="">',
  'a file to download': '<a href="/docs/prices.pdf">Prices</a>',
}))
  test(`a folder that only ${what} shows is found`, async ({ root }) => {
    const found = await result(({ target }) => {
      if (target === '/') return html(markup);
      return target.startsWith('/docs/') ? read(join(root, decodeURIComponent(target))) : undefined;
    });
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /docs/x 2']], found.outcome.reason);
  });

further(test)(
  'a value that has to have the folder of the site’s own in it, and may not lead up, is found through a filter of PHP',
  async ({ root }) => {
    const open = (mayStream: boolean) => (value: string) => {
      if (value.includes('..') || !value.includes('prices') || /^(?:https?|ftp|data|expect|phar):/i.test(value))
        return html('Not available');
      const [, filters = '', path = ''] = /^php:\/\/filter\/(.*)\/resource=(.*)$/s.exec(value) ?? [];
      const found = mayStream && path !== '' ? read(path) : read(join(root, value));
      return found && filters.includes('convert.base64-encode')
        ? html(Buffer.from(String(found.body)).toString('base64'))
        : found;
    };
    const at = (mayStream: boolean) => result(serving(open(mayStream), 'view', 'docs/prices.txt'));
    assert.equal(places(await at(true)), ['GET /open view']);
    assert.equal(places(await at(false)), []);
  },
);

further(test)(
  'a script that includes pages by name with an ending shows its source through a filter of PHP',
  async ({ root }) => {
    writeFileSync(
      join(root, 'docs', 'about.php'),
      `<h2>About</h2><?php $key = 'a secret of the site'; include 'foot.php';`,
    );
    const include = (name: string) =>
      name.includes('filter')
        ? included(name.replace('resource=', `resource=${root}/docs/`).concat('.php'))
        : html(name.replace(/^(?:\.\/)+/, '') === 'about' ? '<h2>About</h2>' : '<h2>Start</h2>');
    const found = await result(serving(include, 'page', 'about'));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /open page']], found.outcome.reason);
    assert.match(stored(found), /php:\/\/filter|php%3A%2F%2Ffilter/);
    assert.match(stored(found), /source code of the script/);
  },
);

test('a parameter of an unknown name is tried further when the answer says that a file is missing', async ({
  root,
}) => {
  const found = await result(
    serving(
      (name) => {
        const opened = name.replaceAll('../', '').replace(/^\//, '');
        return read(join(root, 'docs', opened)) ?? html(`include(docs/${escapeHtml(opened)}): failed to open stream`);
      },
      'zz',
      'prices',
    ),
  );
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /open zz']], found.outcome.reason);
});

for (const server of ['GlassFish Server 4.1', 'a server of its own'])
  test(`a folder of ${server} is ${server.startsWith('Glass') ? '' : 'not '}tried with the longer form of a slash in UTF-8`, async ({
    root,
  }) => {
    const { outcome, requests } = await result(({ target }) => {
      if (target === '/') return html('<script src="/docs/app.js"></script>', 200, { server });
      if (/%2|\/\.\.\//.test(target) || !target.startsWith('/docs/')) return undefined;
      return read(join(root, target.replaceAll('%c0%af', '/')));
    });
    const isOld = server.startsWith('Glass');
    assert.is(outcome.kind, isOld ? 'found' : 'clean', outcome.reason);
    assert.is(
      requests.some((request) => request.includes('%c0%af')),
      isOld,
    );
  });

for (const [version, steps] of firstRows(Object.entries({ '2.4.49': '.%2e/', '2.4.50': '.%%32%65/' }), 1))
  further(test)(
    `a folder of Apache ${version} that dots lead out of as they are decoded late is found`,
    async ({ root }) => {
      const served = (server: string) =>
        result(({ target }) => {
          if (target === '/') return html('<h1>It works!</h1>', 200, { server });
          return target.startsWith('/icons/.') && target.includes(steps)
            ? read(join(root, 'icons/x', target.slice('/icons/'.length).replaceAll(steps, '../')))
            : undefined;
        });
      const found = await served(`Apache/${version} (Unix)`);
      assert.equal(places(found), ['GET /icons/x 2'], found.outcome.reason);
      const other = await served('Apache/2.4.51 (Unix)');
      assert.equal([other.outcome.kind, other.requests.filter((request) => request.includes('icons'))], ['clean', []]);
    },
  );

const clean: Record<string, Opens> = {
  'resolved first and compared': (root) => (name) => {
    const path = resolve(root, 'docs', name.replaceAll('\0', ''));
    return path.startsWith(join(root, 'docs') + sep) ? read(path) : undefined;
  },
  'of which only the last part is used': (root) => (name) => read(join(root, 'docs', name.split('/').at(-1) || 'none')),
  'that is repeated': () => (name) => html(`<p>No file ${escapeHtml(name)}</p>`),
  'searched for in articles, one of which shows such a file': () => (name) =>
    html(/passwd/.test(name) ? '<pre>root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/bin/sh</pre>' : 'none'),
  'that is repeated in base64, beside a script of PHP in base64': () => (name) =>
    html(
      `${Buffer.from(name).toString('base64')} ${Buffer.from('<?php echo "an example for readers";').toString('base64')}`,
    ),
  'that is said to be missing': () => (name) => html(`include(${escapeHtml(name)}): failed to open stream`),
  'that is ignored by a page about such files': () => () =>
    html('<pre>root:x:0:0:root:/root:/bin/bash\nroot:x:0:\ndaemon:x:1:</pre>'),
};

for (const [what, open] of firstRows(Object.entries(clean), 3)) {
  test(`a name ${what} is clean`, async ({ root }) => {
    const found = await result(serving(open(root)));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a handbook with pages about folders, called by their path, is clean', async () => {
  const about = (dir: string) => (/^\/?etc\/?$/.test(dir) ? '<li>passwd<li>shadow<li>hosts' : 'No such page');
  const found = await result(serving((dir) => html(about(dir)), 'dir', 'letters'));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

test('an input that names no file is sent two paths only, and none where its value makes no difference', async () => {
  const pathsTo = async (show: (q: string) => string) => {
    const { requests } = await result(serving((q) => html(show(q)), 'q', 'lamp'));
    return requests.filter((request) => request.includes('passwd') && request.includes('q=')).length;
  };
  assert.is(await pathsTo((q) => (q === 'lamp' ? 'On lamps' : 'Nothing')), 2);
  assert.is(await pathsTo((q) => `You asked for ${escapeHtml(q)}`), 0);
});

test('an input that says of every file that it is not there is sent each spelling once', async () => {
  const isMissing = ({ path, query }: { path: string; query: URLSearchParams }) =>
    path === '/'
      ? html('<a href="/notes?topic=lamp">notes</a>')
      : path === '/notes'
        ? said(query.get('topic'))
        : undefined;
  const said = (topic: string | null) =>
    html(
      topic === 'lamp'
        ? '<p>On lamps</p>'
        : `<p>ENOENT: no such file or directory, open 'notes/${escapeHtml(topic ?? '')}'</p>`,
    );
  const { outcome, requests } = await result(isMissing);
  assert.is(outcome.kind, 'clean');
  assert.ok(requests.length > 20 && requests.length < 80, String(requests.length));
});

/** A desk of an administrator that keeps settings of each look that is opened, under the name that it was asked for by. */
function desk() {
  const kept = new Set<string>();
  const looks = new Set(['/looks/plain', '/looks/dark']);
  const handler: Handler = ({ path, query, headers }) => {
    if (headers['x-user'] !== 'root') return html('<p>Please log in</p>');
    if (path === '/')
      return html('<p>Hello, root</p><a href="/desk?look=plain">plain</a> <a href="/desk?look=dark">dark</a>');
    if (path !== '/desk') return undefined;
    const look = query.get('look') ?? '';
    if (!looks.has(resolve('/looks', look))) return html('<p>No such look</p>', 404);
    kept.add(look);
    return html(`<p>Settings of a look</p>`);
  };
  return { handler, kept };
}

for (const writes of ['reversible', 'create'] as const)
  test(`what an administrator opens is ${writes === 'create' ? '' : 'not '}asked for by another spelling where writes are "${writes}"`, async () => {
    const { handler, kept } = desk();
    const site = await startSite(handler);
    const identities = [
      {
        name: 'root',
        role: 'admin',
        headers: [['x-user', 'root']] as [string, string][],
        checkPath: '/',
        marker: 'Hello, root',
      },
    ];
    const audit = await openAudit(site.url, { identities, depth: 'deep', writes });
    try {
      const found = await checkAgain(audit, pathTraversal, 'root');
      assert.equal(found.findings, []);
      assert.is(kept.has('./plain') || kept.has('./dark'), writes === 'create', [...kept].join());
    } finally {
      await Promise.all([audit.close(), site.close()]);
    }
  });

test.run();
