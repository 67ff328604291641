import express, { type Express, type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

const page = (title: string, body: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`;
const home = page('Lagoon', '<a href="/admin?view=0">Administration</a> <a href=/about>About</a>');
const accounts = page('Accounts', '<ul><li>Ina Holm, 14 berths</li><li>Ole Brandt, 3 berths</li></ul>');

/** A site with a page that is refused, and what decides on that. */
type RefusingSite = {
  isAllowed(request: Request): boolean;
  /** Each visitor is given this cookie. */
  cookie?: string;
  refusal?: { status: number; text: string };
  /** What stands before the guard. */
  before?: (app: Express) => void;
};

export function startRefusing({
  isAllowed,
  cookie,
  refusal = { status: 403, text: 'Forbidden' },
  before,
}: RefusingSite): Promise<ScoreSite> {
  const app = express();
  before?.(app);
  app.get('/', (_request, response) => {
    if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
    response.send(home);
  });
  app.get('/admin', (request, response) =>
    isAllowed(request) ? response.send(accounts) : response.status(refusal.status).send(page('Lagoon', refusal.text)),
  );
  return startApp(app);
}

export const cookieIn = (request: Request, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
