import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { cookieReaders } from '../../../../workflows/checks/inputs/cookie-readers.ts';
import { inputsToProbe } from '../../../../workflows/checks/inputs/probe-inputs.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { openAudit, places, runOn } from '../harness.ts';

const test = suite('pages that read a cookie');

const cookieOf = (headers: { cookie?: string | undefined }): string | undefined =>
  /(?:^|;\s*)taste=([^;]*)/.exec(headers.cookie ?? '')?.[1];

/** The first page gives a cookie, and others are made with it or without. */
const site =
  (
    pages: Record<string, (taste: string | undefined) => string>,
    given: Record<string, string> = { 'set-cookie': 'taste=plain' },
  ): Handler =>
  ({ path, headers }) => {
    const links = Object.keys(pages).map((page) => `<a href="${page}">${page}</a>`);
    if (path === '/') return { ...html(links.join(' ')), headers: given };
    const page = pages[path];
    return page && html(`<p>${page(cookieOf(headers))}</p>`);
  };

async function readers(
  pages: Record<string, (taste: string | undefined) => string>,
  given?: Record<string, string>,
): Promise<string[]> {
  const server = await startSite(site(pages, given));
  const audit = await openAudit(server.url);
  try {
    const found = await cookieReaders(audit.context, inputsToProbe(audit.context.surface));
    return found.map(({ url, parameter }) => `${new URL(url).pathname} ${parameter}`);
  } finally {
    await audit.close();
    await server.close();
  }
}

further(test)('a page that answers another value otherwise reads the cookie', async () => {
  const found = await readers({
    '/about': () => 'About us.',
    '/list': (taste) => (taste === 'plain' ? 'Plain lamps' : 'All lamps'),
    '/said': (taste) => `You like ${taste}`,
  });
  assert.equal(found, ['/list taste', '/said taste']);
});

further(test)('of pages that do the same with it, as in a frame that they share, two do', async () => {
  const framed = (content: string) => (taste: string | undefined) => `${content}</p><p>Your taste: ${taste}</p><p>`;
  const pages = { '/a': framed('A'), '/b': framed('B'), '/c': framed('C'), '/d': (taste = '') => `D ${taste}` };
  const found = await readers(pages);
  assert.is(found.length, 3);
  assert.ok(found.includes('/d taste'));
});

further(test)(
  'of many pages those are asked whose addresses begin as that of the page that makes the cookie',
  async () => {
    const others = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`/shop/part-${'abcdefghijklmnopqrst'[index]}`, () => `Part ${index}`]),
    );
    const found = await readers(
      {
        ...others,
        '/kitchen/tea': () => `<script>document.cookie = 'taste=plain'</script><a href="/kitchen/tea/cup">Pour</a>`,
        '/kitchen/tea/cup': (taste) => (taste === 'plain' ? 'Plain tea' : 'No tea'),
      },
      {},
    );
    assert.equal(found, ['/kitchen/tea/cup taste']);
  },
);

further(test)(
  'a page that is another one each time does not, and one that is called as the cookie is where nothing shows it',
  async () => {
    let count = 0;
    const noise = () => {
      count += 1;
      return String(count);
    };
    assert.equal(await readers({ '/news': noise, '/about': () => 'About us.' }), []);
    assert.equal(await readers({ '/news': noise, '/tastes': () => 'Tastes.' }), ['/tastes taste']);
  },
);

const passwd = 'root:x:0:0:root:/root:/bin/sh\nbin:x:1:1:bin:/bin:/sbin/nologin\n';
const reading =
  (allowed: (name: string) => boolean): ((taste: string | undefined) => string) =>
  (taste = 'plain') => {
    const name = decodeURIComponent(taste);
    if (name === 'plain') return 'Plain lamps';
    return allowed(name) && /^(?:\.\.\/)+etc\/passwd$/.test(name) ? passwd : 'No such taste';
  };

for (const [kind, expected, allowed] of [
  ['any file', ['found', ['GET /list taste']], () => true],
  ['files of a list', ['clean', []], (name: string) => !name.includes('..')],
] as const)
  test(`a cookie that names ${kind} on another page is ${expected[0]}`, async () => {
    const server = await startSite(site({ '/list': reading(allowed) }));
    try {
      const result = await runOn(server.url, pathTraversal);
      assert.equal([result.outcome.kind, places(result)], expected, result.outcome.reason);
    } finally {
      await server.close();
    }
  });

test.run();
