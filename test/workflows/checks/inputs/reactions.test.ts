import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('inputs of which nothing says that they are read');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const database = new DatabaseSync(':memory:');
database.exec("create table people(name text, city text); insert into people values ('ada', 'Bonn'), ('bob', 'Graz')");
const joined = (name: string) => database.prepare(`select city from people where name = '${name}'`).all();
const bound = (name: string) => database.prepare('select city from people where name = ?').all(name);
type Find = (name: string) => Record<string, unknown>[];

const show = (find: Find, name: string) => {
  try {
    return html(
      find(name)
        .map(({ city }) => `<p>Lives in ${city}</p>`)
        .join('') || '<p>Nobody</p>',
    );
  } catch {
    return html('<p>That did not work</p>');
  }
};

async function found(browsers: BrowserPool, handler: Handler) {
  const site = await startSite(handler);
  try {
    const result = await runOn(site.url, sqlBoolean, { browsers, depth: 'deep', writes: 'create' });
    return { places: places(result), requests: site.requests };
  } finally {
    await site.close();
  }
}

test('so it is where a program says the same of what is unknown and of what it cannot parse, and not where every address has that page', async ({
  browsers,
}) => {
  const quiet = (find: Find, name: string) => {
    const failed = show(find, name);
    return String(failed.body).includes('not work') ? html('<p>Nobody</p>') : failed;
  };
  const site =
    (find: Find): Handler =>
    ({ path }) =>
      path === '/'
        ? html('<a href="/who/ada">Ada</a>')
        : path.startsWith('/who/')
          ? quiet(find, path.slice(5))
          : undefined;
  assert.equal((await found(browsers, site(joined))).places, ['GET /who/ada 2']);
  assert.equal((await found(browsers, site(bound))).places, []);
  const catching = await found(browsers, ({ path }) =>
    path === '/'
      ? html('<a href="/who/ada">Ada</a>')
      : html(path === '/who/ada' ? '<p>Ada</p>' : '<p>Nothing here</p>'),
  );
  const asked = catching.requests.filter((request) => /\/who\/ada[^?]/.test(request));
  assert.ok(asked.length <= 2, String(asked));
});

test('so it is where a program says itself what is not there, and not where it is said as of every address', async ({
  browsers,
}) => {
  const site =
    (find: Find, missing: (path: string) => string): Handler =>
    ({ path }) => {
      if (path === '/') return html('<a href="/who/ada">Ada</a>');
      const name = /^\/who\/([^/]+)$/.exec(path)?.[1];
      const answer = name === undefined ? undefined : show(find, name);
      return answer && String(answer.body).includes('Lives') ? answer : html(missing(path), 404);
    };
  const own = (path: string) => (path.startsWith('/who/') ? '<p>Nobody</p>' : `<p>Cannot GET ${path}</p>`);
  assert.equal((await found(browsers, site(joined, own))).places, ['GET /who/ada 2']);
  assert.equal((await found(browsers, site(bound, own))).places, []);
  const { places: none, requests } = await found(
    browsers,
    site(bound, (path) => `<p>Cannot GET ${path}</p>`),
  );
  const asked = requests.filter((request) => /\/who\/ada[^?]/.test(request));
  assert.equal([none, asked.length <= 1], [[], true], String(asked));
});

test('a file that a program gives is tried, and not one that a server reads from its disk', async ({ browsers }) => {
  const site =
    (find: Find, headers: Record<string, string>): Handler =>
    ({ path }) => {
      if (path === '/') return html('<a href="/who/ada.txt">Ada</a>');
      const name = /^\/who\/(.+)$/.exec(path)?.[1];
      const answer = name === undefined ? undefined : show(find, name.replace('.txt', ''));
      if (answer && String(answer.body).includes('Lives'))
        return { ...answer, headers: { ...answer.headers, ...headers } };
      return html(path.startsWith('/who/') ? '<p>Nobody</p>' : '<p>No page</p>', 404);
    };
  const ofPrograms = { 'cache-control': 'no-store' };
  assert.equal((await found(browsers, site(joined, ofPrograms))).places, ['GET /who/ada.txt 2']);
  const bounded = await found(browsers, site(bound, ofPrograms));
  assert.equal(bounded.places, []);
  const served = await found(browsers, site(bound, { etag: '"1"' }));
  assert.ok(served.requests.length + 5 < bounded.requests.length, `${served.requests.length} requests`);
});

further(test)(
  'the last part of an address is tried where a program answers another one, however few pages its folder has',
  async ({ browsers }) => {
    const site =
      (find: Find): Handler =>
      ({ path }) =>
        path === '/'
          ? html('<a href="/who/ada">Ada</a> <a href="/texts/about.html">About</a>')
          : path.startsWith('/who/')
            ? show(find, path.slice(5))
            : path === '/texts/about.html'
              ? html('<p>About us</p>')
              : undefined;
    const weak = await found(browsers, site(joined));
    assert.equal(weak.places, ['GET /who/ada 2']);
    const files = weak.requests.filter((request) => /about\.html[^?]/.test(request));
    assert.ok(files.length <= 1, String(files));
    assert.equal((await found(browsers, site(bound))).places, []);
  },
);

further(test)(
  'so is the name of a header that a script sends, where the server works with it',
  async ({ browsers }) => {
    const site =
      (find: Find): Handler =>
      ({ path, method, headers }) => {
        if (path === '/')
          return html(`<button onclick="fetch('/pick', { method: 'POST', headers: { ada: 'case7' } })">Look</button>`);
        if (path !== '/pick' || method !== 'POST') return undefined;
        const [name = ''] = Object.entries(headers).find(([, value]) => value === 'case7') ?? [];
        return show(find, decodeURIComponent(name));
      };
    assert.equal((await found(browsers, site(joined))).places, ['POST /pick name of ada']);
    assert.equal((await found(browsers, site(bound))).places, []);
  },
);

test.run();
