import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reflectedXss } from '../../../../workflows/checks/injection/reflected-xss.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('where a value comes back');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool, handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, reflectedXss, { browsers });
  } finally {
    await site.close();
  }
}

/** A search that is kept for its visitor, or for everybody, and shown on the page that it leads to. */
function leading(spell: (text: string) => string, isForAll = false): Handler {
  const kept = new Map<string, string>();
  return ({ method, path, body, headers }) => {
    const session = isForAll ? 'all' : (/sid=(\w+)/.exec(String(headers.cookie))?.[1] ?? `s${kept.size}`);
    if (path === '/') return html('<form method="post" action="/find"><input name="q"><button>Find</button></form>');
    if (path === '/find' && method === 'POST') {
      kept.set(session, new URLSearchParams(body).get('q') ?? '');
      return { status: 302, headers: { location: '/found', 'set-cookie': `sid=${session}; Path=/` }, body: '' };
    }
    return path === '/found' ? html(`<p>Results for ${spell(kept.get(session) ?? '')}</p>`) : undefined;
  };
}

test('what a form keeps for its sender runs on the page that it leads to', async ({ browsers }) => {
  const found = await result(
    browsers,
    leading((text) => text),
  );
  assert.equal(places(found), ['POST /find q'], found.outcome.reason);
});

test('what that page escapes is clean, and what it shows to everybody is stored', async ({ browsers }) => {
  const escaped = await result(browsers, leading(escapeHtml));
  const stored = await result(
    browsers,
    leading((text) => text, true),
  );
  assert.equal([escaped.outcome.kind, stored.outcome.kind], ['clean', 'clean']);
});

further(test)('what an error page of all paths repeats is one finding with many places', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) => {
    if (path === '/')
      return html(['a', 'b', 'c', 'd'].map((name) => `<a href="/${name}?note=x">${name}</a> `).join(''));
    return html(
      `<nav><a href="${encodeURI(path)}?note=y">again</a></nav><h1>Not found</h1><p>${query.get('note')}</p>`,
      404,
    );
  });
  assert.equal(
    found.findings.map(({ locations }) => locations?.length),
    [4],
    found.outcome.reason,
  );
});

further(test)('a form whose address is that of the file with what follows it is found', async ({ browsers }) => {
  const site =
    (spell: (text: string) => string): Handler =>
    ({ path }) =>
      path === '/' || path.startsWith('/index.php')
        ? html(
            `<form action="${spell(decodeURIComponent(path === '/' ? '/index.php' : path))}"><input name="q"></form>`,
          )
        : undefined;
  const found = await result(
    browsers,
    site((text) => text),
  );
  const patched = await result(browsers, site(escapeHtml));
  assert.equal([places(found), places(patched)], [['GET /index.php/x 2'], []], found.outcome.reason);
});

further(test)('XML runs script when it is opened, unless what it repeats is escaped', async ({ browsers }) => {
  const feed =
    (spell: (text: string) => string): Handler =>
    ({ path, query }) => {
      if (path === '/') return html('<a href="/feed?topic=lamps">Lamps</a>');
      const body = `<?xml version="1.0"?><feed><topic>${spell(query.get('topic') ?? '')}</topic></feed>`;
      return path === '/feed' ? { headers: { 'content-type': 'application/xml' }, body } : undefined;
    };
  const found = await result(
    browsers,
    feed((text) => text),
  );
  const patched = await result(browsers, feed(escapeHtml));
  assert.equal([places(found), places(patched)], [['GET /feed topic'], []], found.outcome.reason);
});

further(test)('a value in base64, and one that has to be an address, are sent as such', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) => {
    if (path === '/')
      return html(
        `<a href="/note?m=${btoa('Welcome back.')}">note</a><form action="/preview"><input name="url"></form>`,
      );
    if (path === '/note') return html(`<p>${Buffer.from(query.get('m') ?? '', 'base64')}</p>`);
    const url = query.get('url') ?? '';
    return path === '/preview'
      ? html(url.includes('http') ? `<a href="${escapeHtml(url)}">yours</a>` : 'no')
      : undefined;
  });
  assert.equal(places(found).toSorted(), ['GET /note m', 'GET /preview url'], found.outcome.reason);
});

test.run();
