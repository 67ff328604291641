import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeEvaluation } from '../../../../workflows/checks/injection/code-evaluation.check.ts';
import { staysData } from '../../../../workflows/checks/injection/data-only.ts';
import { ldapInjection } from '../../../../workflows/checks/injection/ldap.check.ts';
import { nosqlInjection } from '../../../../workflows/checks/injection/nosql.check.ts';
import { openRedirect } from '../../../../workflows/checks/injection/open-redirect.check.ts';
import { osCommand } from '../../../../workflows/checks/injection/os-command.check.ts';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { sqlTime } from '../../../../workflows/checks/injection/sql-time.check.ts';
import { xpathInjection } from '../../../../workflows/checks/injection/xpath.check.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';
import { type Answer, escapeHtml, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('inputs whose values are data only');

const checks = [
  codeEvaluation,
  ldapInjection,
  nosqlInjection,
  osCommand,
  pathTraversal,
  sqlBoolean,
  sqlTime,
  xpathInjection,
];
/** Requests with delays in headers, for each program of a site. */
const inHeaders = 9;
const script = { headers: { 'content-type': 'text/javascript' }, body: 'export const version = 1;' };

/** A list with a page number, a script with a version, and a product by its number. */
const siteWith =
  (product: (id: string) => Answer) =>
  ({ path, query }: Request): Answer | undefined => {
    if (path === '/')
      return html(
        '<a href="/list?page=2">Next</a><a href="/product?id=3">Lamp</a><script src="/shop.js?ver=1.2"></script>',
      );
    if (path === '/shop.js') return script;
    if (path === '/product') return product(query.get('id') ?? '');
    const page = query.get('page') ?? '';
    if (path !== '/list') return undefined;
    if (!/^\d+$/.test(page)) return json({ error: 'invalid_parameter', message: `page: ${page} is no number` }, 400);
    return json({ page: Number(page), items: [`Item ${page}`] });
  };

const strict = (id: string): Answer =>
  /^\d+$/.test(id) ? html(`<h1>Product ${id}</h1><p>Number ${id} of the list</p>`) : html('<h1>Bad request</h1>', 400);

further(test)(
  'a number that is refused otherwise and the version of a file cost a few requests for all checks together',
  async () => {
    const site = await startSite(siteWith(strict));
    const audit = await openAudit(site.url);
    try {
      const before = site.requests.length;
      for (const each of checks) {
        const { outcome, findings } = await check(audit, each);
        assert.equal([outcome.kind, findings.length], ['clean', 0], `${each.id}: ${outcome.reason}`);
      }
      const sent = site.requests.slice(before);
      const to = (start: string) => sent.filter((request) => request.startsWith(`GET ${start}`)).length;
      assert.ok(to('/list?page=') <= 11 + inHeaders, `${to('/list?page=')} for the page number`);
      assert.ok(to('/product?id=') <= 11 + inHeaders, `${to('/product?id=')} for the product`);
      assert.ok(to('/shop.js?ver=') <= 4, `${to('/shop.js?ver=')} for the script`);
    } finally {
      await Promise.all([audit.close(), site.close()]);
    }
  },
);

/** Boats by their number, as a program looks them up that casts what it is sent. */
const castingSite =
  (shown: (boat: number, sent: string) => string) =>
  ({ path, query }: Request): Answer | undefined => {
    if (path === '/') return html('<a href="/boat?id=3">Heron</a>');
    const sent = query.get('id') ?? '';
    const id = Number(/^\s*\d+/.exec(sent)?.[0] ?? 0);
    return path === '/boat' ? html(shown(id, sent)) : undefined;
  };
const boatOf = (id: number): string => (id === 3 ? '<h1>Heron</h1><p>Afloat</p>' : '<h1>No such boat</h1>');
const askedOf = async (handler: (request: Request) => Answer | undefined): Promise<[boolean, number]> => {
  const site = await startSite(handler);
  const audit = await openAudit(site.url);
  try {
    const input = audit.context.surface.inputs.find(({ parameter }) => parameter === 'id');
    assert.ok(input);
    const before = site.requests.length;
    return [await staysData(audit.context, input), site.requests.length - before];
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
};

test('a number that is cast, whatever follows it, is recognised', async () => {
  const [isData, asked] = await askedOf(castingSite((id) => (id === 0 ? '<h1>Which boat?</h1>' : boatOf(id))));
  assert.is(isData, true);
  assert.ok(asked <= 16, String(asked));
});

test('a number is not taken for cast where what follows is shown, is compared, or makes the page fail like another', async () => {
  const shownBesides = castingSite((id, sent) => `${boatOf(id)}<p>You asked for ${escapeHtml(sent)}</p>`);
  const signsLeftOut = castingSite((_, sent) => {
    const kept = sent.replace(/[^\w ]/g, '');
    return /^\d+(?: (?:and|or) .*)?$/.test(kept) ? boatOf(Number.parseInt(kept, 10)) : '<h1>Which boat?</h1>';
  });
  const failsAsKnown = castingSite((_, sent) => (/['"]/.test(sent) ? boatOf(3) : boatOf(Number(sent))));
  for (const handler of [shownBesides, signsLeftOut, failsAsKnown]) assert.is((await askedOf(handler))[0], false);
});

test('of names that stand in one place of an address, two that are looked up stand for the others', async () => {
  const names = ['oak', 'elm', 'ash', 'fir', 'yew'];
  const site = await startSite(({ path }) => {
    if (path === '/') return html('<h1>Words</h1>');
    return names.includes(path.slice('/words/'.length))
      ? html(`<h1>Of ${path}</h1>`)
      : html('<p>No such word</p>', 404);
  });
  const audit = await openAudit(site.url);
  try {
    const inputs = names.map(
      (name): InputSurface => ({
        ...{ method: 'GET', url: `${site.url}/words/${name}`, route: '/words/{any}', parameter: '2', in: 'path' },
        ...{ sample: name, others: [] },
      }),
    );
    const asked = (name: string) => site.requests.filter((request) => request.startsWith(`GET /words/${name}`)).length;
    for (const input of inputs) assert.is(await staysData(audit.context, input), true, input.sample);
    assert.ok(asked('oak') > 9 && asked('elm') > 9);
    assert.equal(['ash', 'fir', 'yew'].map(asked), [0, 0, 0]);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

test('a field of a page that is a file, whose own script reads it, costs two requests for all checks together', async () => {
  const page =
    '<form action="#"><input name="word" value="lamp"><input type="button" value="Go" onclick="go()"></form>';
  const file = {
    'content-type': 'text/html',
    'last-modified': 'Mon, 05 Oct 2026 10:00:00 GMT',
    'accept-ranges': 'bytes',
  };
  const site = await startSite(({ path }) => (path === '/' ? { headers: file, body: page } : undefined));
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    for (const each of checks) assert.is((await check(audit, each)).findings.length, 0);
    const sent = site.requests.slice(before).filter((request) => request.includes('word='));
    assert.ok(sent.length <= 3, String(sent));
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a number of which few are known is recognised by another one that the site knows', async () => {
  const site = await startSite(({ path }) => {
    if (path === '/') return html('<a href="/boats/3">Heron</a><a href="/boats/7">Osprey</a>');
    return /^\/boats\/[37]$/.test(path) ? html(`<h1>Boat</h1><p>At berth ${path.slice(-1)}0</p>`) : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    for (const each of checks.filter(({ id }) => id !== pathTraversal.id)) await check(audit, each);
    const sent = site.requests.slice(before).filter((request) => request.startsWith('GET /boats/'));
    assert.ok(sent.length <= 11 + inHeaders, `${sent.length}: ${sent}`);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

further(test)('a name that is looked up as it is costs a few requests for all checks together', async () => {
  const boats = new Map(
    ['osprey', 'heron', 'petrel'].map((name) => [name, html(`<h1>${name}</h1><p>A boat of the club</p>`)]),
  );
  const site = await startSite(({ path }) => {
    if (path === '/') return html([...boats.keys()].map((name) => `<a href="/boats/${name}">${name}</a>`).join(' '));
    return boats.get(path.replace('/boats/', '')) ?? html(`<h1>Nothing at ${escapeHtml(path)}</h1>`, 404);
  });
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    const interpreted = checks.filter((each) => each !== pathTraversal);
    for (const each of interpreted) assert.equal((await check(audit, each)).findings, [], each.id);
    const sent = site.requests.slice(before).filter((request) => request.startsWith('GET /boats/'));
    assert.ok(sent.length > 5 && sent.length <= 25 + boats.size * inHeaders, `${sent.length} requests`);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

further(test)('so does one on pages that give tokens and nonces anew each time', async () => {
  const made = (bytes: number) => randomBytes(bytes).toString('base64');
  const page = (text: string) =>
    html(
      `<script nonce="${made(32)}">start()</script><form><input type=hidden name=_token value="${made(24)}"></form><p>${text}`,
    );
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html('<a href="/boats?by=length">Boats</a>');
    const by = query.get('by') ?? '';
    const order = ['length', 'beam'].includes(by) ? `Sorted by ${by}` : `Unsorted: there is no ${escapeHtml(by)}`;
    return path === '/boats' ? page(order) : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    for (const each of checks.filter((other) => other !== pathTraversal))
      assert.equal((await check(audit, each)).findings, [], each.id);
    const sent = site.requests.slice(before).filter((request) => request.startsWith('GET /boats'));
    assert.ok(sent.length > 5 && sent.length <= 30 + inHeaders, `${sent.length} requests`);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

further(test)(
  'a number and a name whose refusals write what they were sent with quotes of their own cost as few',
  async () => {
    const quoted = (text: string) => {
      const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
      return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
    };
    const site = await startSite(({ path, query }) => {
      if (path === '/') return html('<a href="/api/boats?size=50&fields=name">Boats</a>');
      if (path !== '/api/boats') return undefined;
      const [size, fields] = [query.get('size') ?? '', query.get('fields') ?? ''];
      if (!/^\d+$/.test(size)) return json({ error: `size: invalid literal with base 10: ${quoted(size)}` }, 400);
      if (!['name', 'berth'].includes(fields))
        return json({ error: quoted(`Unknown property ${quoted(fields)}`) }, 400);
      return json({ size: Number(size), boats: [{ [fields]: 'Heron' }] });
    });
    const audit = await openAudit(site.url);
    try {
      const before = site.requests.length;
      for (const each of checks.filter((other) => other !== pathTraversal))
        assert.equal((await check(audit, each)).findings, [], each.id);
      const sent = site.requests.slice(before).filter((request) => request.includes('size='));
      assert.ok(sent.length > 5 && sent.length <= 45, `${sent.length} requests`);
    } finally {
      await Promise.all([audit.close(), site.close()]);
    }
  },
);

further(test)('what is known of an input is remembered for the next check, however large its pages are', async () => {
  const padding = 'x'.repeat(1_900_000);
  const large = (text: string, status = 200) =>
    html(`<h1>${text}</h1><p>A boat of the club</p><!--${padding}-->`, status);
  const site = await startSite(({ path }) => {
    if (path === '/')
      return html('<a href="/boats/osprey">1</a> <a href="/boats/heron">2</a> <a href="/boats/petrel">3</a>');
    return /^\/boats\/(?:osprey|heron|petrel)$/.test(path) ? large(path) : large('Nothing there', 404);
  });
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    for (const each of [ldapInjection, xpathInjection]) assert.equal((await check(audit, each)).findings, [], each.id);
    const sent = site.requests.slice(before);
    assert.ok(sent.length > 5 && sent.length <= 25, `${sent.length} requests`);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

test('a search that reads words, and hints at its operators, is sent no list of code and commands', async () => {
  const goods = ['Brass lamp', 'Green lamp', 'Garden rose'];
  const wordsIn = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html('<a href="/search?q=lamp">Lamps</a>');
    const q = query.get('q') ?? '';
    const found = goods.filter((name) => wordsIn(q).some((word) => name.toLowerCase().includes(word)));
    const hint = /[;`]/.test(q) ? '<p>Write OR between words of which one is enough</p>' : '';
    const rows = found.map((name) => `<li>${name}</li>`).join('');
    return html(`<h1>${found.length} results for ${escapeHtml(q)}</h1>${hint}<ul>${rows}</ul>`);
  });
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    assert.equal((await check(audit, codeEvaluation)).findings, []);
    assert.ok(site.requests.length - before <= 16, `${site.requests.length - before} requests for code`);
    assert.equal((await check(audit, osCommand)).findings, []);
    const printing = site.requests.filter((request) => /echo|expr|set\+?%20?\/a/.test(decodeURIComponent(request)));
    assert.equal(printing, []);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

further(test)(
  'of many numbers on pages that are alike, what is sent one request as an address is asked no more',
  async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const site = await startSite(({ path, query }) => {
      if (path === '/') return html(numbers.map((n) => `<a href="/letter-${n}?version=1">${n}</a>`).join(' '));
      return /^\/letter-\d+$/.test(path) && query.get('version') === '1'
        ? html(`<h1>Letter ${path}</h1><p>As it was written at first</p>`)
        : html('<h1>No such version</h1>', 404);
    });
    const audit = await openAudit(site.url);
    try {
      const before = site.requests.length;
      assert.equal((await check(audit, openRedirect)).findings, []);
      const sent = site.requests.slice(before).filter((request) => request.includes('version='));
      assert.ok(sent.length >= 25 && sent.length <= 70, `${sent.length} requests`);
    } finally {
      await Promise.all([audit.close(), site.close()]);
    }
  },
);

further(test)(
  'a name in quotes of a statement is tried, although all errors are answered as unknown names are',
  async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      "CREATE TABLE b (name TEXT, kind TEXT); INSERT INTO b VALUES ('osprey', 'Sloop of oak'), ('heron', 'Ketch'), ('petrel', 'Yawl')",
    );
    const site = await startSite(({ path }) => {
      if (path === '/')
        return html('<a href="/boats/osprey">1</a> <a href="/boats/heron">2</a> <a href="/boats/petrel">3</a>');
      try {
        const row = database.prepare(`SELECT kind FROM b WHERE name = '${path.replace('/boats/', '')}'`).get();
        if (row) return html(`<h1>${row.kind}</h1><p>It lies at the pier</p>`);
      } catch {}
      return html('<h1>Not found</h1>', 404);
    });
    const audit = await openAudit(site.url);
    try {
      assert.is((await check(audit, sqlBoolean)).findings.length, 1);
    } finally {
      await Promise.all([audit.close(), site.close()]);
      database.close();
    }
  },
);

further(test)(
  'what stands in a statement is sent no code, commands or paths of documents, and a form is asked once',
  async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      "CREATE TABLE b (name TEXT, kind TEXT); INSERT INTO b VALUES ('osprey', 'Sloop of oak'), ('heron', 'Ketch')",
    );
    const bound = database.prepare('SELECT kind FROM b WHERE name = ?');
    const joined = (name: string) => database.prepare(`SELECT kind FROM b WHERE name = '${name}'`);
    const form = (action: string) =>
      `<form method="post" action="${action}"><input name="name" value="osprey"><button>Search</button></form>`;
    const site = await startSite(({ path, body }) => {
      if (path === '/') return html(form('/joined') + form('/bound'));
      const name = new URLSearchParams(body).get('name') ?? '';
      try {
        const row = path === '/joined' ? joined(name).get() : bound.get(name);
        if (row) return html(`<h1>${row.kind}</h1><p>It lies at the pier</p>`);
      } catch {}
      return html('<h1>Not found</h1>');
    });
    const audit = await openAudit(site.url);
    try {
      const before = site.requests.length;
      for (const each of [codeEvaluation, osCommand, ldapInjection, xpathInjection])
        assert.equal((await check(audit, each)).findings, [], each.id);
      assert.is((await check(audit, sqlBoolean)).findings.length, 1);
      const sent = site.requests.slice(before);
      const to = (path: string) => sent.filter((request) => request.includes(path)).length;
      assert.ok(to('/joined') <= 50, `${to('/joined')} requests`);
      assert.ok(to('/bound') <= 30, `${to('/bound')} requests`);
    } finally {
      await Promise.all([audit.close(), site.close()]);
      database.close();
    }
  },
);

for (const quote of ['', "'"])
  further(test)(
    `a number that stands in a statement ${quote === '' ? 'as it is' : 'in quotes'} is tried, although all errors are answered alike`,
    async () => {
      const database = new DatabaseSync(':memory:');
      database.exec(
        "CREATE TABLE p (id INTEGER, name TEXT); INSERT INTO p VALUES (3, 'Desk lamp of brass'), (4, 'Oak table')",
      );
      const concatenated = (id: string): Answer => {
        try {
          const row = database.prepare(`SELECT name FROM p WHERE id = ${quote}${id}${quote}`).get();
          if (row) return html(`<h1>${row.name}</h1><p>In stock</p>`);
        } catch {}
        return html('<h1>Not found</h1>', 404);
      };
      const site = await startSite(siteWith(concatenated));
      const audit = await openAudit(site.url);
      try {
        assert.equal(places(await check(audit, sqlBoolean)), ['GET /product id']);
      } finally {
        await Promise.all([audit.close(), site.close()]);
        database.close();
      }
    },
  );

test.run();
