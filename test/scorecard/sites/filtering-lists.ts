import { defineEntity, p } from '@mikro-orm/core';
import { type EntityManager, MikroORM, NodeSqliteDialect, SqliteDriver } from '@mikro-orm/postgresql';
import express, { type Express, type Response } from 'express';
import { escapeHtml } from '../../fixtures/site.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

export const Writer = defineEntity({
  name: 'Writer',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    city: p.string(),
    password: p.string().hidden(),
    apiKey: p.string().nullable().hidden(),
  },
});
export const Article = defineEntity({
  name: 'Article',
  properties: {
    id: p.integer().primary(),
    title: p.string(),
    topic: p.string(),
    writer: () => p.manyToOne(Writer),
  },
});

const writers = [
  { id: 1, name: 'Ada Palme', city: 'Umea', password: '$2b$10$9tqGzR5uKcR0w1mQ3nX7eO', apiKey: 'k-71aa20c4' },
  { id: 2, name: 'Ben Ortiz', city: 'Cadiz', password: '$2b$10$Lr8ePb4sVt0ZyN2dF6hJ1u', apiKey: null },
  { id: 3, name: 'Cleo Maas', city: 'Gent', password: '$2b$10$Ue3kYw7aTq5SxB9cH0iM4o', apiKey: 'c-93bd11f0' },
];
const articles = [
  { id: 1, title: 'Boats of the north', topic: 'travel', writer: 1 },
  { id: 2, title: 'Bread without salt', topic: 'food', writer: 2 },
  { id: 3, title: 'Canals at night', topic: 'travel', writer: 3 },
];

/** An application over the ORM, with articles and their writers in SQLite. */
export async function startMagazine(make: (app: Express, fork: () => EntityManager) => void): Promise<ScoreSite> {
  const orm = await MikroORM.init<SqliteDriver>({
    driver: SqliteDriver,
    dbName: ':memory:',
    driverOptions: new NodeSqliteDialect(':memory:'),
    entities: [Writer, Article],
  } as never);
  await orm.schema.create();
  const filling = orm.em.fork();
  for (const each of writers) filling.create(Writer, each);
  for (const each of articles) filling.create(Article, each);
  await filling.flush();
  const app = express();
  app.set('query parser', 'extended');
  app.use(express.json());
  make(app, () => orm.em.fork() as unknown as EntityManager);
  return startApp(app, { close: () => orm.close(true) });
}

const sendFound = async (response: Response, found: Promise<unknown>): Promise<void> => {
  try {
    response.json({ items: await found });
  } catch {
    response.status(400).json({ error: 'bad request' });
  }
};

/** What the address says is the condition, as it was parsed. */
export const startWriterList = (variant: Variant): Promise<ScoreSite> =>
  startMagazine((app, fork) => {
    app.get('/', (_request, response) => response.send('<h1>Magazine</h1><a href="/api/writers">Writers</a>'));
    app.get('/api/writers', ({ query }, response) => {
      const { city, ...others } = query;
      if (variant === 'patched' && Object.keys(others).length > 0) return void response.sendStatus(400);
      const where = variant === 'vulnerable' ? query : city === undefined ? {} : { city: String(city) };
      return sendFound(response, fork().find(Writer, where as object));
    });
  });

/** Filters in brackets, of which unknown fields and operators are left out; a table shows what they find. */
export const startArticleTable = (variant: Variant): Promise<ScoreSite> =>
  startMagazine((app, fork) => {
    app.get('/', (_request, response) => response.send('<h1>Magazine</h1><a href="/articles">Articles</a>'));
    app.get('/articles', async ({ query }, response) => {
      const where = { $and: conditionsIn(query.filters, variant === 'patched' ? ['title', 'topic'] : undefined) };
      const found = await fork().find(Article, where as object, { populate: ['writer'] as never });
      const rows = found.map(
        ({ title, writer }) =>
          `<tr><td>${escapeHtml(title)}<td>${escapeHtml((writer as unknown as { name: string }).name)}`,
      );
      response.send(`<h1>Articles</h1><table><tr><th>Title<th>Writer${rows.join('')}</table>`);
    });
  });

/** A condition in JSON in one parameter, which no page sends. */
export const startArticleApi = (variant: Variant): Promise<ScoreSite> =>
  startMagazine((app, fork) => {
    app.get('/', (_request, response) => response.send('<h1>Magazine</h1><a href="/api/articles">Articles</a>'));
    const found = async (text: string) => {
      const filter = JSON.parse(text);
      const mended = filter.topic === undefined ? {} : { topic: String(filter.topic) };
      return fork().find(Article, variant === 'vulnerable' ? filter : mended, { populate: ['writer'] as never });
    };
    app.get('/api/articles', ({ query }, response) => sendFound(response, found(String(query.filter ?? '{}'))));
  });

const operators: Record<string, (text: string) => object> = {
  $eq: ($eq) => ({ $eq }),
  $gte: ($gte) => ({ $gte }),
  $lt: ($lt) => ({ $lt }),
  $startsWith: (text) => ({ $like: `${text}%` }),
};
const fieldsOfArticles = ['id', 'title', 'topic'];
const fieldsOfWriters = ['id', 'name', 'city', 'password', 'apiKey'];

/** @param allowed fields; all that there are when not given */
export function conditionsIn(filters: unknown, allowed?: readonly string[]): object[] {
  const found: object[] = [];
  const read = (at: unknown, known: readonly string[], make: (name: string, value: object) => object): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [name, value] of Object.entries(at)) {
      if (name === 'writer' && !allowed)
        read(value, fieldsOfWriters, (inner, condition) => ({ writer: { [inner]: condition } }));
      if (!known.includes(name) || typeof value !== 'object' || value === null) continue;
      for (const [operator, text] of Object.entries(value)) {
        const condition = operators[operator]?.(String(text));
        if (condition) found.push(make(name, condition));
      }
    }
  };
  read(filters, allowed ?? fieldsOfArticles, (name, condition) => ({ [name]: condition }));
  return found;
}

const searchScript = `document.querySelector('button').onclick = async () => {
  const answer = await fetch('/api/articles/search', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ where: { topic: document.querySelector('input').value }, limit: 20 }) });
  document.querySelector('ul').innerHTML = (await answer.json()).items.map((item) => '<li>' + item.title).join('');
};`;

/** A search that posts its conditions in JSON. */
export const startArticleSearch = (variant: Variant): Promise<ScoreSite> =>
  startMagazine((app, fork) => {
    app.get('/', (_request, response) =>
      response.send(
        `<h1>Search</h1><input name="topic" value="travel"><button>Search</button><ul></ul><script>${searchScript}</script>`,
      ),
    );
    app.post('/api/articles/search', ({ body }, response) => {
      const where = variant === 'vulnerable' ? body.where : { topic: String(body.where?.topic) };
      return sendFound(response, fork().find(Article, where, { populate: ['writer'] as never, limit: 20 }));
    });
  });
