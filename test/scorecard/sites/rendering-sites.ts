import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Express, type Request } from 'express';
import { engine } from 'express-handlebars';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** The last version that takes its options from the values of a page; it comes without types. */
const { renderFile } = createRequire(import.meta.url)('ejs-3') as Pick<typeof import('ejs'), 'renderFile'>;

/** What a page is made of: all that was sent, or what the page shows. */
const valuesOf = (variant: Variant, sent: Record<string, unknown>): object =>
  variant === 'vulnerable' ? sent : { name: sent.name, trail: sent.trail };

/** An application with views on disk, as its engine reads them. */
async function startViews(
  views: Readonly<Record<string, string>>,
  setUp: (app: Express, folder: string) => void,
): Promise<ScoreSite> {
  const folder = mkdtempSync(join(tmpdir(), 'views-'));
  await mkdir(join(folder, 'views', 'layouts'), { recursive: true });
  const manifest = JSON.stringify({ name: 'hikers', dependencies: { express: '^4.17.0' } });
  const files = Object.entries({ ...views, 'package.json': manifest });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  const app = express();
  app.set('env', 'test');
  app.set('query parser', 'extended');
  app.set('views', join(folder, 'views'));
  setUp(app, join(folder, 'views'));
  return startApp(app, { close: () => rmSync(folder, { recursive: true }) });
}

const card = (hello: string) => `<h1>Hiker card</h1><form action="/card"><input name="name"></form>${hello}`;

export const renderingSites: Record<string, { place: string; start: (variant: Variant) => Promise<ScoreSite> }> = {
  'page that gives its query to EJS': {
    place: 'GET /card name',
    start: (variant) =>
      startViews({ 'views/card.ejs': card('<% if (locals.name) { %><p><%= name %></p><% } %>') }, (app) => {
        app.engine('ejs', renderFile);
        app.get('/', (_request, response) => response.send('<a href="/card?name=Ada&amp;trail=Ridge">Card</a>'));
        app.get('/card', ({ query }, response) => response.render('card.ejs', valuesOf(variant, query)));
      }),
  },
  'search in JSON that is rendered by EJS': {
    place: 'POST /api/search name',
    start: (variant) =>
      startViews({ 'views/row.ejs': '<li><%= locals.name %></li>' }, (app) => {
        const body = JSON.stringify({ name: 'Ada' });
        const script = `fetch('/api/search', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${body}' });`;
        app.engine('ejs', renderFile);
        app.get('/', (_request, response) => response.send(`<ul></ul><script>${script}</script>`));
        app.post('/api/search', express.json(), ({ body: sent }: Request, response) =>
          response.render('row.ejs', valuesOf(variant, sent)),
        );
      }),
  },
  'page that gives its query to Handlebars': {
    place: 'GET /card name',
    start: (variant) =>
      startViews(
        {
          'views/card.handlebars': card('<p>{{name}}</p>'),
          'views/layouts/main.handlebars': '<main>{{{body}}}</main>',
        },
        (app) => {
          app.engine('handlebars', engine());
          app.get('/', (_request, response) => response.redirect('/card?name=Ada'));
          app.get('/card', ({ query }, response) => response.render('card.handlebars', valuesOf(variant, query)));
        },
      ),
  },
};
