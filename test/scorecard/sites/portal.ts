import { randomBytes } from 'node:crypto';
import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { startApp } from './express.ts';
import { identitiesOf, newPeople } from './people.ts';

/** What the portal's developer got wrong; nothing by default. */
type PortalFlaws = {
  keepsIdentifier?: boolean;
  keepsSession?: boolean;
  /** Visitors have no session. */
  startsAtLogin?: boolean;
  attributes?: string;
};

/** A portal over HTTPS with one script a page, whose log in is sent as JSON by script and which is left by a link with a key. */
export async function startPortal({
  attributes = 'path=/; secure; HttpOnly; SameSite=Lax',
  ...flaws
}: PortalFlaws = {}): Promise<ScoreSite> {
  const people = newPeople();
  const sessions = new Map<string, { userId?: number; key: string }>();
  const app = express();
  app.use(express.json());
  const idOf = (request: Request) => /(?:^|; )PHPSESSID=([^;]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
  const open = (userId?: number): string => {
    const id = randomBytes(16).toString('hex').slice(0, 26);
    sessions.set(id, { key: randomBytes(10).toString('hex'), ...(userId === undefined ? {} : { userId }) });
    return id;
  };
  const cookie = (id: string) => `PHPSESSID=${id}; ${attributes}`;
  app.get(['/', '/index.php'], (request, response) => {
    if (!flaws.startsAtLogin && !sessions.has(idOf(request))) response.append('set-cookie', cookie(open()));
    response.send(
      '<HTML><BODY><H1>Portal</H1><A HREF="card.php">My card</A><FORM onsubmit="return enter(this)"><INPUT NAME=login><INPUT TYPE=password NAME=pw></FORM></BODY></HTML>',
    );
  });
  app.post('/ajax/login.php', (request, response) => {
    const { username, password } = request.body ?? {};
    const person = people.find((each) => each.username === username && each.password === password);
    if (!person) return void response.status(403).json({ ok: false });
    const session = sessions.get(idOf(request));
    if (flaws.keepsIdentifier && session) session.userId = person.id;
    else {
      sessions.delete(idOf(request));
      response.append('set-cookie', cookie(open(person.id)));
    }
    response.json({ ok: true });
  });
  app.get('/logout.php', (request, response) => {
    const session = sessions.get(idOf(request));
    if (!session || request.query.key !== session.key) return void response.redirect('card.php');
    if (!flaws.keepsSession) sessions.delete(idOf(request));
    response.append('set-cookie', 'PHPSESSID=deleted; path=/; Max-Age=0').redirect('/');
  });
  app.get('/card.php', (request, response) => {
    const session = sessions.get(idOf(request));
    const user = people.find(({ id }) => id === session?.userId);
    if (!user) return void response.redirect('/');
    response.send(
      `<HTML><BODY><B>Hello ${user.name}</B> <A HREF="logout.php?key=${session?.key}">Log off</A><TABLE><TR><TD>${user.mail}<TD>${user.street}</TABLE></BODY></HTML>`,
    );
  });
  const identities = identitiesOf({
    path: '/ajax/login.php',
    json: { tokenPath: '' },
    checkPath: '/card.php',
    markerOf: (name) => `Hello ${name}`,
  });
  return startApp(app, { tls: await certificateForShop(), options: { identities } });
}
