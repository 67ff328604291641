import express, { type Request } from 'express';
import { escapeHtml } from '../../fixtures/site.ts';
import type { AuditOptions, TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { withEdgeIncludes, withServerIncludes } from './directive-shows.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };
const identities: TestIdentity[] = [
  { name: 'lena', cookies: { sid: 'session-of-lena-81' }, checkPath: '/', marker: 'Signed in as Lena' },
];
const isLena = ({ headers }: Request): boolean => /(?:^|; )sid=session-of-lena-81/.test(headers.cookie ?? '');
const shownIn = (variant: Variant, text: string): string => (variant === 'vulnerable' ? text : escapeHtml(text));

/** A visitors' book whose page is read by the server's includes (SSI). */
export function startVisitorsBook(variant: Variant): Promise<ScoreSite> {
  const entries = ['What a view!'];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<a href="/book.shtml">Book</a><form method="post" action="/entries"><textarea name="entry"></textarea></form>',
    ),
  );
  app.post('/entries', (request, response) => {
    entries.push(String(request.body.entry ?? '').slice(0, 400));
    response.redirect(303, '/book.shtml');
  });
  app.get('/book.shtml', (_request, response) => {
    const list = entries.map((entry) => `<li>${shownIn(variant, entry)}</li>`).join('');
    response.send(withServerIncludes(`<h1>Visitors</h1><ul>${list}</ul><!--#set var="end" value="" -->`));
  });
  return startApp(app, { options: create });
}

/** Greeting cards that each have a file of their own, which takes no elements but comments. */
export function startCards(variant: Variant): Promise<ScoreSite> {
  const cards: string[] = [];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<form method="post" action="/cards"><label>Wish <input name="wish"></label><button>Add</button></form>',
    ),
  );
  app.post('/cards', (request, response) => {
    cards.push(String(request.body.wish ?? '').replace(/<(?!!--)[^>]*>/g, ''));
    response.redirect(303, `/cards/${cards.length}.shtml`);
  });
  app.get('/cards/:file', ({ params: { file } }, response) => {
    const card = cards[Number.parseInt(file, 10) - 1];
    if (card === undefined) return void response.status(404).send('<h1>No such card</h1>');
    response.send(withServerIncludes(`<h1>A card for you</h1><p>${shownIn(variant, card)}</p>`));
  });
  return startApp(app, { options: create });
}

/** A profile behind a cache that carries out ESI. */
export function startCachedProfile(variant: Variant): Promise<ScoreSite> {
  let motto = 'Slowly';
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) => (isLena(request) ? next() : void response.status(403).send('<h1>Closed</h1>')));
  app.get('/', (_request, response) =>
    response.send('<p>Signed in as Lena</p><a href="/profile">Profile</a><a href="/card">Card</a>'),
  );
  app.get('/profile', (_request, response) =>
    response.send(
      `<form method="post"><input name="display" value="${escapeHtml(motto)}"><button>Save</button></form>`,
    ),
  );
  app.post('/profile', (request, response) => {
    motto = String(request.body.display ?? '').slice(0, 400);
    response.redirect(303, '/profile');
  });
  app.get('/card', (_request, response) =>
    response.send(withEdgeIncludes(`<h1>Lena</h1><p>${shownIn(variant, motto)}</p>`)),
  );
  return startApp(app, { options: { ...create, writes: 'reversible', identities } });
}
