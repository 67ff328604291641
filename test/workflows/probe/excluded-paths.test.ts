import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { codeOf, openFor } from './support.ts';

const browsers = testBrowsers();
const excluded = suite('excluded paths');

excluded.after(() => browsers.close());

/** Instruments for a site of which some paths are excluded. */
async function at(
  handler: Handler,
  work: (probes: ReturnType<typeof openFor>, url: string, requests: string[]) => Promise<void>,
): Promise<void> {
  const site = await startSite(handler);
  const probes = openFor(site.url, { browsers, excludedPaths: ['/admin', '/gr%c3%B6%C3%9Fe'] });
  try {
    await work(probes, site.url, site.requests);
  } finally {
    await probes.close();
    await site.close();
  }
}

excluded('are never requested, whatever asks for them and however they are written', () =>
  at(
    () => html('ok'),
    async ({ http, browser }, url, requests) => {
      const asked = [
        '/admin',
        '/admin/users?x=1',
        '/%61dmin',
        '//admin',
        '/x/../admin/',
        '/x/%2e%2e/admin/',
        '/x/..%2fadmin',
        '/admin/../x',
        '/%61dmin/%zz',
        '/gr%c3%b6%C3%9Fe',
        '/größe/x',
      ];
      for (const path of asked) assert.is(await codeOf(http.get(url + path)), 'excluded', path);
      const fields = { username: '', password: '', code: '', submit: '' };
      const login = { jar: http.newJar(), username: 'a', password: 'b', fields };
      for (const work of [
        () => http.send({ method: 'POST', url: `${url}/admin`, body: 'a=1' }),
        () => browser.visit({ url: `${url}/admin` }),
        () => browser.signIn({ url: `${url}/admin`, ...login }),
      ])
        assert.is(await codeOf(work()), 'excluded');
      assert.equal(requests, []);
      assert.is((await http.get(`${url}/other?next=/admin`)).status, 200);
    },
  ),
);

excluded('are no place that a redirect leads to', () =>
  at(
    ({ path }) => (path === '/' ? { status: 302, headers: { location: '/admin/log-out' } } : html('ok')),
    async ({ http, browser }, url, requests) => {
      const answer = await http.get(`${url}/`, { maxRedirects: 3 });
      assert.is(answer.status, 302);
      await browser.visit({ url: `${url}/` }).catch(() => {});
      assert.equal(requests, ['GET /', 'GET /']);
    },
  ),
);

excluded('are not asked for by a page in the browser either', () =>
  at(
    ({ path }) => (path === '/' ? html('<img src="/admin/a.png"><script>fetch("/admin/b")</script>') : html('ok')),
    async ({ browser }, url, requests) => {
      const { requests: seen } = await browser.visit({ url: `${url}/` });
      assert.equal(requests, ['GET /']);
      assert.equal(
        seen.map(({ refused }) => refused),
        [false, true, true],
      );
    },
  ),
);

excluded.run();
