import { randomBytes } from 'node:crypto';
import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type NoticeClubDesign = {
  /** Of the session cookie, behind its value. */
  attributes: string;
  /** The form has a secret of the session, which is looked at. */
  hasToken?: boolean;
  /** Whoever has no account adds notices as well. */
  isOpen?: boolean;
  /** What was added is shown in the session that added it alone. */
  keepsForSession?: boolean;
};

type Session = { token: string; drafts: string[] };

const user = { username: 'runa', password: 'Runa-harbour-58' };
const page = (body: string): string => `<!doctype html><title>Boat club</title><h1>Boat club</h1>${body}`;
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A club whose members put up notices; there is none yet. */
export function startNoticeClub(design: NoticeClubDesign): Promise<ScoreSite> {
  const { attributes, hasToken = false, isOpen = false, keepsForSession = false } = design;
  const notices: string[] = [];
  const sessions = new Map<string, Session>();
  const sessionOf = (request: Request): Session | undefined =>
    sessions.get(/\bclub=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '');
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(page('<a href="/enter">Log in</a> <a href="/notices">Notices</a>')),
  );
  app.get('/enter', (_request, response) =>
    response.send(
      page(
        '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>',
      ),
    ),
  );
  app.post('/enter', (request, response) => {
    const { username, password } = request.body ?? {};
    if (username !== user.username || password !== user.password)
      return void response.status(401).send(page('<p>Wrong password.</p>'));
    const id = randomBytes(12).toString('hex');
    sessions.set(id, { token: randomBytes(16).toString('hex'), drafts: [] });
    response.append('set-cookie', `club=${id}; ${attributes}`).redirect('/notices');
  });
  app.post('/notices', (request, response) => {
    const session = sessionOf(request);
    const { title = '', body = '', form_token: token } = request.body ?? {};
    const isRefused = !session ? !isOpen : hasToken && token !== session.token;
    if (isRefused || title === '') return void response.status(403).send(page('<p>This was not possible.</p>'));
    const list = keepsForSession && session ? session.drafts : notices;
    list.push(`${title}: ${body}`);
    response.redirect('/notices');
  });
  app.get('/notices', (request, response) => {
    const session = sessionOf(request);
    if (!session) return response.redirect('/enter');
    const rows = [...notices, ...session.drafts].map((each) => `<li>${escaped(each)}</li>`).join('');
    return response.send(page(`<p>Signed in as runa</p><ul>${rows}</ul><a href="/notices/new">Add a notice</a>`));
  });
  app.get('/notices/new', (request, response) => {
    const session = sessionOf(request);
    if (!session) return response.redirect('/enter');
    const secret = hasToken ? `<input type="hidden" name="form_token" value="${session.token}">` : '';
    return response.send(
      page(
        `<form method="post" action="/notices">${secret}<input name="title"><textarea name="body"></textarea><button>Add notice</button></form>`,
      ),
    );
  });
  const login = { path: '/enter', ...user };
  const identity = { name: 'runa', checkPath: '/notices', marker: 'Signed in as runa', login };
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', identities: [identity], startPaths: ['/notices'] },
  });
}
