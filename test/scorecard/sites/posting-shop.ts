import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

type Answer = (fields: Record<string, string>, database: DatabaseSync) => string;

const cookieOf = ({ headers }: Request, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

/**
 * A shop as frameworks make them: its form is sent by POST, with a hidden token that belongs to the session of the cookie and is good
 * for one time.
 * @param fields markup of the form's fields
 * @param answer what the form is answered with
 */
export function startPostingShop(fields: string, answer: Answer, database: DatabaseSync): Promise<ScoreSite> {
  const tokens = new Map<string, string>();
  const app = express();
  app.use(express.urlencoded({ extended: true }));
  app.get('/', (_request, response) => response.send('<a href="/catalogue">Catalogue</a>'));
  app.get('/catalogue', (_request, response) => {
    const [session, token] = [randomUUID(), randomBytes(24).toString('base64url')];
    tokens.set(session, token);
    response.cookie('shop_session', session, { httpOnly: true });
    response.send(`<h1>Catalogue</h1><form method="post" action="/catalogue/search">
      <input type="hidden" name="_csrf" value="${token}">${fields}<button>Search</button></form>`);
  });
  app.post('/catalogue/search', (request, response) => {
    const session = cookieOf(request, 'shop_session');
    const { _csrf: given = '', ...sent } = request.body;
    const isKnown = given !== '' && tokens.get(session) === given;
    tokens.delete(session);
    if (!isKnown) return void response.status(419).send('<h1>Page expired</h1>');
    response.send(`<h1>Results</h1>${answer(sent, database)}`);
  });
  return startApp(app, { close: () => database.close() });
}
