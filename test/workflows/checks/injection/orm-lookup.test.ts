import { randomInt } from 'node:crypto';
import express, { type Express, type Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ormLookup } from '../../../../workflows/checks/injection/orm-lookup.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { startApp } from '../../../scorecard/sites/express.ts';
import {
  Article,
  conditionsIn,
  startArticleApi,
  startArticleSearch,
  startArticleTable,
  startMagazine,
  startWriterList,
  Writer,
} from '../../../scorecard/sites/filtering-lists.ts';
import { type AuditOptions, check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('lists that are filtered by hidden fields');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function on(starting: Promise<ScoreSite>, options: AuditOptions = {}) {
  const site = await starting;
  const audit = await openAudit(site.url, options);
  try {
    const before = audit.requests();
    const result = await check(audit, ormLookup);
    return { ...result, requests: audit.requests() - before };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('are found where the address is the condition of an ORM, and not where it may name one field', async () => {
  const found = await on(startWriterList('vulnerable'));
  assert.equal(places(found), ['GET /api/writers password']);
  assert.match(found.findings[0]?.description ?? '', '`password[$gte]=…`');
  assert.is((await on(startWriterList('patched'))).outcome.kind, 'clean');
});

test('are found behind a relation, where unknown fields are left out', async () => {
  assert.equal(places(await on(startArticleTable('vulnerable'))), ['GET /articles writer.password']);
  assert.is((await on(startArticleTable('patched'))).outcome.kind, 'clean');
  assert.equal(places(await on(startArticleApi('vulnerable'))), ['GET /api/articles writer.password']);
});

test('are found where a search posts its conditions', async () => {
  const options = { browsers, depth: 'deep', writes: 'create' } as const;
  assert.equal(places(await on(startArticleSearch('vulnerable'), options)), [
    'POST /api/articles/search writer.password',
  ]);
  assert.is((await on(startArticleSearch('patched'), options)).outcome.kind, 'clean');
});

const start = (link: string, make: (app: Express) => void): Promise<ScoreSite> => {
  const app = express();
  app.set('query parser', 'extended');
  app.get('/', (_request, response) => response.send(`<h1>Boats</h1><a href="${link}">Boats</a>`));
  make(app);
  return startApp(app);
};
const boats = [
  { id: 1, name: 'Petrel', harbour: 'Umea', email: 'petrel@boats.example', key: 'P-1' },
  { id: 2, name: 'Curlew', harbour: 'Gent', email: 'curlew@boats.example', key: 'C-7' },
  { id: 3, name: 'Avocet', harbour: 'Cadiz', email: 'avocet@boats.example', key: 'A-4' },
];
const shown = boats.map(({ id, name, harbour }) => ({ id, name, harbour }));
const values = ({ query }: Request): string[] =>
  Object.values(query).flatMap((value) => (typeof value === 'string' ? value : Object.values(value ?? {}).map(String)));

test('are left alone by a look of few requests where the list ignores what it does not know', async () => {
  const { outcome, requests } = await on(
    start('/api/boats', (app) => app.get('/api/boats', (_request, response) => void response.json(shown))),
  );
  assert.is(outcome.kind, 'clean');
  // Its page and the list, in two addresses each beside their own.
  assert.ok(requests <= 6, `${requests} requests`);
});

test('are not those that the list shows, of which any may be compared in any way, nor one that is empty', async () => {
  const everything = startMagazine((app, fork) => {
    app.get('/', (_request, response) => response.send('<a href="/articles">Articles</a>'));
    app.get('/articles', async ({ query }, response) => {
      const where = { $and: conditionsIn(query.filters, ['id', 'title', 'topic']) };
      response.json(await fork().find(Article, where as object, { fields: ['id', 'title', 'topic'] as never }));
    });
  });
  assert.is((await on(everything)).outcome.kind, 'clean');
  const withNothing = start('/api/boats', (app) =>
    app.get('/api/boats', ({ query }, response) => {
      const { token__gte: low = '', token__lt: high = 'zz', name__gte: first = '' } = query;
      response.json('' >= low && '' < high ? shown.filter(({ name }) => name >= String(first)) : []);
    }),
  );
  assert.is((await on(withNothing)).outcome.kind, 'clean');
  const allShown = start('/api/boats', (app) =>
    app.get('/api/boats', ({ query }, response) => {
      const conditions = Object.entries(query).map(([name, text]) => [name.split('__'), String(text)] as const);
      const found = boats.filter((boat) =>
        conditions.every(([[field = '', operator], text]) => {
          const own = String(boat[field as keyof typeof boat] ?? '');
          if (!(field in boat)) return true;
          return operator === 'gte' ? own >= text : operator === 'lt' ? own < text : own.startsWith(text);
        }),
      );
      response.json(found);
    }),
  );
  assert.is((await on(allShown)).outcome.kind, 'clean');
});

test('are not those by which the site itself offers to filter', async () => {
  const offering = start('/writers?password=&amp;city=Gent', (app) =>
    app.get('/writers', (_request, response) => void response.json(shown)),
  );
  assert.is((await on(offering)).outcome.kind, 'clean');
  const byPassword = startMagazine((app, fork) => {
    app.get('/', (_request, response) => response.send('<a href="/writers?filters[password][$gte]=0">Writers</a>'));
    app.get('/writers', async ({ query }, response) => {
      const fields = ['password'];
      const where = { $and: conditionsIn(query.filters, fields) };
      response.json(await fork().find(Writer, where as object));
    });
  });
  assert.is((await on(byPassword)).outcome.kind, 'clean');
});

test('are not there where unknown names are refused, which is asked of two lists of a site', async () => {
  const site = start('/api/boats0', (app) => {
    const lists = Array.from({ length: 6 }, (_, number) => `/api/boats${number}`);
    app.get('/all', (_request, response) => response.send(lists.map((each) => `<a href="${each}">${each}</a>`).join()));
    for (const list of lists)
      app.get(list, ({ query }, response) => {
        const isKnown = Object.keys(query).every((name) => name === 'harbour');
        response.status(isKnown ? 200 : 400).json(isKnown ? shown : { error: 'unknown parameter' });
      });
  });
  const { outcome, requests } = await on(site, { startPaths: ['/all'] });
  assert.is(outcome.kind, 'clean');
  assert.ok(requests < 150, `${requests} requests`);
});

test('are not there where results are drawn, where any value is searched for, where any condition empties the list, and where it is on what is missing', async () => {
  const drawn = start('/boats', (app) =>
    app.get('/boats', (_request, response) => {
      const some = shown.filter(() => randomInt(2) === 0);
      response.send(`<table><tr><th>Name<th>Harbour${some.map(({ name }) => `<tr><td>${name}`).join('')}</table>`);
    }),
  );
  assert.is((await on(drawn)).outcome.kind, 'clean');
  const searching = start('/boats', (app) =>
    app.get('/boats', (request, response) => {
      const words = values(request);
      response.json(shown.filter((boat) => words.every((word) => Object.values(boat).join(' ').includes(word))));
    }),
  );
  assert.is((await on(searching)).outcome.kind, 'clean');
  const emptied = start('/boats', (app) =>
    app.get('/boats', ({ query }, response) => void response.json(Object.keys(query).length > 0 ? [] : shown)),
  );
  assert.is((await on(emptied)).outcome.kind, 'clean');
  const missing = start('/api/boats', (app) =>
    app.get('/api/boats', ({ query }, response) => {
      const conditions = Object.entries(query).map(([name, text]) => [name.split('__')[0], String(text)] as const);
      const of = (boat: object, field = '') => String(Reflect.get(boat, field));
      response.json(shown.filter((boat) => conditions.every(([field, text]) => of(boat, field) >= text)));
    }),
  );
  assert.is((await on(missing)).outcome.kind, 'clean');
});

test.run();
