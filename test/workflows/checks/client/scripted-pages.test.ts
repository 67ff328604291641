import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagesWithScript, type TextsByLength } from '../../../../workflows/checks/client/scripted-pages.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { openAudit } from '../harness.ts';

const test = suite('pages with script');

const script = { headers: { 'content-type': 'text/javascript' }, body: 'localStorage.kept = 1;' };

test('a script that may not be asked for costs no other script, and is reported', async () => {
  const site = await startSite(({ path }) => {
    if (path === '/') return html('<script src="/app.js"></script><script src="/notes/delete?id=3"></script>');
    return path === '/app.js' ? script : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { context } = audit;
    const left: Omitted[] = [];
    const leave = (omitted: Omitted) => void left.push(omitted);
    const pages = await pagesWithScript({ http: context.http, leave }, context.surface, (text) =>
      text.includes('kept'),
    );
    assert.equal(
      pages.map(({ url, scripts }) => [url, scripts]),
      [[`${site.url}/`, [script.body]]],
    );
    assert.equal(
      left.map(({ code, count }) => [code, count]),
      [['would_act', 1]],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a page that is too much to be read costs no script, and is reported', async () => {
  const site = await startSite(({ path }) =>
    path === '/'
      ? html(`<script src="/app.js"></script>${'<div>'.repeat(600)}`)
      : path === '/app.js'
        ? script
        : undefined,
  );
  const audit = await openAudit(site.url);
  try {
    const { context } = audit;
    const left: Omitted[] = [];
    const leave = (omitted: Omitted) => void left.push(omitted);
    const pages = await pagesWithScript({ http: context.http, leave }, context.surface, (text) =>
      text.includes('kept'),
    );
    assert.equal([pages.length, left.map(({ code }) => code)], [1, ['page_cut']]);
  } finally {
    await audit.close();
    await site.close();
  }
});

const keeping = (name: string) => ({ headers: script.headers, body: `localStorage.${name} = 1;` });

/** Paths of the pages that are looked at, of a site whose pages have these files. */
async function chosenOf(files: Record<string, string[]>, shownBefore: readonly string[] = []) {
  const site = await startSite(({ path }) => {
    if (path === '/')
      return html(
        Object.keys(files)
          .map((page) => `<a href="${page}">x</a>`)
          .join(' '),
      );
    const own = files[path];
    if (own) return html(own.map((name) => `<script src="/${name}.js"></script>`).join(''));
    return path.endsWith('.js') ? keeping(path.slice(1, -3)) : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { context } = audit;
    const left: Omitted[] = [];
    const before = {
      ...context.surface,
      pages: context.surface.pages.filter(({ url }) => shownBefore.includes(new URL(url).pathname)),
    };
    const pages = await pagesWithScript(
      { http: context.http, leave: (omitted) => void left.push(omitted) },
      context.surface,
      (text) => text.includes('localStorage'),
      { shownBefore: [before] },
    );
    return { pages: pages.map(({ url }) => new URL(url).pathname), left: left.map(({ code, count }) => [code, count]) };
  } finally {
    await audit.close();
    await site.close();
  }
}

const office = {
  '/in': ['menu', 'list'],
  '/out': ['menu'],
  '/menu': ['list'],
  '/lists': ['menu', 'list'],
  '/charts': ['menu', 'tally'],
  '/another': ['list', 'menu'],
};

test('a page is looked at where it has a script that is not yet on two others', async () => {
  assert.equal(await chosenOf(office), { pages: ['/in', '/out', '/menu', '/charts'], left: [['alike', 2]] });
});

further(test)('a script of pages that others were shown is looked at on one page more', async () => {
  assert.equal(await chosenOf(office, ['/in', '/out', '/menu']), { pages: ['/in', '/charts'], left: [['alike', 4]] });
});

test('pages with scripts that are known by their files and their length are not asked for again', async () => {
  const link = (path: string) => `<a href="${path}">x</a>`;
  const own = (name: string) => `<script>localStorage.setItem('${name}', document.title)</script>`;
  const bodies: Record<string, string> = {
    '/': ['/file', '/one', '/two', '/other'].map(link).join(' '),
    '/file': '<script src="/app.js"></script>',
    '/one': own('a'),
    '/two': own('a'),
    '/other': own('another'),
  };
  const site = await startSite(({ path }) => {
    const body = bodies[path];
    return path === '/app.js' ? script : body === undefined ? undefined : html(body);
  });
  const audit = await openAudit(site.url);
  try {
    const { http, surface } = audit.context;
    const wanted = (text: string) => text.includes('localStorage');
    const asked: string[] = [];
    const noting = {
      ...http,
      get(...request: Parameters<typeof http.get>) {
        asked.push(new URL(request[0]).pathname);
        return http.get(...request);
      },
    };
    const textsByLength: TextsByLength = new Map();
    const left: string[] = [];
    const chosen = async () => {
      const leave = ({ text }: { text: string }) => void left.push(text);
      const pages = await pagesWithScript({ http: noting, leave }, surface, wanted, { textsByLength });
      return pages.map(({ url }) => new URL(url).pathname);
    };
    const all = ['/one', '/two', '/file', '/other'];
    assert.equal(await chosen(), all);
    assert.is(asked.includes('/file'), false);
    asked.length = 0;
    assert.equal(await chosen(), all);
    assert.equal(asked, ['/app.js']);
    assert.match(left.join('\n'), /^1 of 4 pages was not asked for[^\n]*$/);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('pages with one script that the browser used are distinguished by the parameters that they take', async () => {
  const links = ['/a', '/b', '/find?q=1', '/list?page=1'].map((path) => `<a href="${path}">x</a>`).join(' ');
  const site = await startSite(({ path }) => {
    if (path === '/menu.js') return keeping('menu');
    return /^\/(?:a|b|find|list)?$/.test(path) ? html(`<script src="/menu.js"></script>${links}`) : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { http, surface } = audit.context;
    const chosen = async (loaded: { loaded?: string[] }) => {
      const pages = surface.pages.map((page) => ({ ...page, ...loaded }));
      const wanted = (text: string) => text.includes('localStorage');
      const found = await pagesWithScript({ http, leave: () => {} }, { ...surface, pages }, wanted);
      return found.map(({ url }) => new URL(url).pathname);
    };
    assert.equal(await chosen({}), ['/', '/a']);
    assert.equal(await chosen({ loaded: [`${site.url}/menu.js`] }), ['/', '/a', '/find', '/list']);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('what the browser loaded at another address of a route belongs to its page, too', async () => {
  const links = '<a href="/help">x</a> <a href="/help?topic=1">x</a>';
  const site = await startSite(({ path, query }) => {
    if (path.endsWith('.js')) return path === '/help.js' ? keeping('help') : { headers: script.headers, body: 'go()' };
    const page = html(`<script src="/menu.js"></script>${links}${query}`);
    return /^\/(?:help)?$/.test(path) ? page : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { http, surface } = audit.context;
    const loaded = [`${site.url}/help.js`];
    const pages = surface.pages.map((page) => (page.url.includes('topic=') ? { ...page, loaded } : page));
    const wanted = (text: string) => text.includes('localStorage');
    const found = await pagesWithScript({ http, leave: () => {} }, { ...surface, pages }, wanted);
    assert.equal(
      found.map(({ url }) => new URL(url).pathname),
      ['/help'],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
