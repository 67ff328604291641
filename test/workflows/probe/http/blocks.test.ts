import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Handler } from '../../../fixtures/site.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { codeOf, openFor } from '../support.ts';
import { blockPages, ordinary } from './block-pages.ts';

const blocks = suite('firewalls and limits before a site');

/** Opens a site and instruments for it. */
async function at<T>(
  handler: Handler,
  work: (probes: ReturnType<typeof openFor>, url: string, requests: string[]) => Promise<T>,
): Promise<T> {
  const site = await startSite(handler);
  const probes = openFor(site.url);
  try {
    return await work(probes, site.url, site.requests);
  } finally {
    await probes.close();
    await site.close();
  }
}

for (const [name, answer] of blockPages) {
  blocks(`an answer of ${name} (${answer.status}) is none of the site: ${String(answer.body).slice(0, 24)}`, () =>
    at(
      ({ path }) => (path === '/' ? html('Welcome') : answer),
      async ({ http, obstruction }, url) => {
        assert.is((await http.get(url)).status, 200);
        assert.is(await codeOf(http.get(`${url}/search?q=%3Cscript%3E`)), 'blocked');
        assert.equal(obstruction().by, [name]);
        assert.is(obstruction().blocked, 1);
        assert.match(obstruction().slowed ?? '', new RegExp(`${name} answered instead`));
      },
    ),
  );
}

for (const [what, answer] of ordinary) {
  blocks(`${what} is an answer of the site`, () =>
    at(
      () => answer,
      async ({ http, obstruction }, url) => {
        assert.is((await http.get(url)).status, answer.status);
        assert.equal(obstruction(), { blocked: 0, by: [], slowed: obstruction().slowed });
      },
    ),
  );
}

blocks(
  'a site that refuses everything from some moment on, pages too that worked before, has a firewall nobody knows',
  async () => {
    let requests = 0;
    await at(
      ({ path }) =>
        ++requests > 3 ? html(`<h1>Access denied</h1> to ${path}, incident ${requests}a7`, 403) : html('Welcome'),
      async ({ http, obstruction }, url) => {
        assert.is((await http.get(url)).status, 200);
        const codes = [];
        for (let index = 0; index < 12; index++)
          codes.push(
            await http.get(`${url}/page/${index}`).then(
              ({ status }) => status,
              ({ code }) => code,
            ),
          );
        assert.equal(codes.slice(0, 6), [200, 200, 403, 403, 403, 403]);
        assert.equal(codes.slice(6), Array(6).fill('blocked'));
        assert.equal(obstruction().by, ['an unknown firewall']);
        // It lets us in again: that is seen at once.
        requests = -100;
        assert.is((await http.get(`${url}/later`)).status, 200);
      },
    );
  },
);

blocks(
  'refusals to somebody who is logged in are no sign of a firewall because a page of theirs is refused to strangers',
  () =>
    at(
      ({ path, cookies }) => {
        const isOwn = path === '/account' && cookies.sid === 'abc';
        return isOwn ? html('Hello Ann') : html('<h1>Forbidden</h1>', 403);
      },
      async ({ http, obstruction }, url) => {
        const jar = http.newJar();
        jar.set(url, 'sid', 'abc');
        assert.is((await http.get(`${url}/account`, { jar })).status, 200);
        for (let order = 1; order <= 12; order++)
          assert.is((await http.get(`${url}/orders/${order}`, { jar })).status, 403);
        assert.is(obstruction().blocked, 0);
      },
    ),
);

blocks('a firewall that nobody knows is seen with a session as well', async () => {
  let requests = 0;
  await at(
    () => (++requests > 1 ? html('<h1>Access denied</h1>', 403) : html('Hello Ann')),
    async ({ http }, url) => {
      const jar = http.newJar();
      jar.set(url, 'sid', 'abc');
      const codes = [];
      for (let page = 0; page < 7; page++)
        codes.push(
          await http.get(`${url}/${page}`, { jar }).then(
            ({ status }) => status,
            ({ code }) => code,
          ),
        );
      assert.equal(codes, [200, 403, 403, 403, 403, 'blocked', 'blocked']);
    },
  );
});

blocks('many refusals in a row are no sign of a firewall while the rest of the site is open', () =>
  at(
    ({ path }) => (path.startsWith('/.') ? html('Forbidden', 403) : html('Welcome')),
    async ({ http, obstruction }, url, requests) => {
      await http.get(url);
      for (let index = 0; index < 40; index++) assert.is((await http.get(`${url}/.f${index}`)).status, 403);
      assert.is(obstruction().blocked, 0);
      // What it takes to be sure: after 5, 10, 20 and 40 refusals.
      assert.is(requests.length, 1 + 40 + 4);
    },
  ),
);

blocks('a request that came too soon goes once more, later, and is no evidence when it is refused again', async () => {
  let requests = 0;
  await at(
    () => ({ status: ++requests % 2 === 1 || requests > 4 ? 429 : 200, headers: { 'retry-after': '0' }, body: 'x' }),
    async ({ http, licensed, obstruction }, url) => {
      assert.is((await http.get(`${url}/a`)).status, 200);
      assert.is((await http.get(`${url}/b`)).status, 200);
      assert.is(obstruction().blocked, 0);
      assert.is(await codeOf(http.get(`${url}/c`)), 'blocked');
      assert.is(requests, 6);
      // What acts is never sent twice, and a limit on it is what a check may be looking for.
      assert.is((await licensed('write').send({ method: 'POST', url: `${url}/d`, body: 'x' })).status, 429);
      assert.is(requests, 7);
      assert.equal(obstruction().by, ['a limit on requests']);
    },
  );
});

blocks('who only asks whether anybody answers gets the answer', () =>
  at(
    () => blockPages[0]?.[1],
    async ({ http }, url) => assert.is((await http.get(url, { anyAnswer: true })).status, 403),
  ),
);

blocks.run();
