import { randomBytes } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

type PasswordSiteDesign = {
  method: 'get' | 'post';
  /** Of the session cookie, behind its value. */
  attributes: string;
  /** The form has a secret of the session, which is looked at. */
  hasToken?: boolean;
  /** The form asks for the password that the user has. */
  asksForOld?: boolean;
  /** The answer leads to the account, which says once what was done. */
  leadsOn?: boolean;
};

type Session = { name: string; token: string; notice: string };

const user = { username: 'runa', password: 'Runa-harbour-58' };
const page = (body: string): string => `<!doctype html><title>Boat club</title><h1>Boat club</h1>${body}`;

/** A club whose members give themselves new passwords on a page of their own. */
export function startPasswordSite(design: PasswordSiteDesign): Promise<ScoreSite> {
  const { method, attributes, hasToken = false, asksForOld = false, leadsOn = false } = design;
  const passwords = new Map([[user.username, user.password]]);
  const sessions = new Map<string, Session>();
  const sessionOf = (request: Request): Session | undefined =>
    sessions.get(/\bclub=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '');
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => response.send(page('<a href="/enter">Log in</a> <a href="/berth">Berth</a>')));
  app.get('/enter', (_request, response) =>
    response.send(
      page(
        '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>',
      ),
    ),
  );
  app.post('/enter', (request, response) => {
    const { username, password } = request.body ?? {};
    if (passwords.get(username) !== password) return void response.status(401).send(page('<p>Wrong password.</p>'));
    const id = randomBytes(12).toString('hex');
    sessions.set(id, { name: username, token: randomBytes(16).toString('hex'), notice: '' });
    response.append('set-cookie', `club=${id}; ${attributes}`).redirect('/berth');
  });
  app.use((request, response, next) => (sessionOf(request) ? next() : response.redirect('/enter')));
  const berth = (session: Session): string => {
    const { name, token, notice } = session;
    session.notice = '';
    const secret = hasToken ? `<input type="hidden" name="form_token" value="${token}">` : '';
    const old = asksForOld ? '<label>Current password <input type="password" name="old_password"></label>' : '';
    return page(
      `${notice}<p>Berth of ${name}, pier 4</p><form method="${method}" action="/berth/password">${secret}${old}
<label>New password <input type="password" name="password_new"></label>
<label>Repeat it <input type="password" name="password_repeat"></label><button name="save" value="1">Save</button></form>`,
    );
  };
  const known = (request: Request): Session => sessionOf(request) as Session;
  app.get('/berth', (request, response) => void response.send(berth(known(request))));
  const change = (request: Request, response: Response) => {
    const session = known(request);
    const sent: Record<string, unknown> = method === 'get' ? request.query : (request.body ?? {});
    const isRefused =
      (hasToken && sent.form_token !== session.token) ||
      (asksForOld && sent.old_password !== passwords.get(session.name)) ||
      sent.password_new !== sent.password_repeat ||
      String(sent.password_new ?? '').length < 8;
    if (!isRefused) passwords.set(session.name, String(sent.password_new));
    session.notice = isRefused ? '<p>This was not possible.</p>' : '<p>Your password was changed.</p>';
    if (leadsOn) response.redirect('/berth');
    else response.send(berth(session));
  };
  if (method === 'get') app.get('/berth/password', change);
  else app.post('/berth/password', change);
  const identity = { name: 'runa', checkPath: '/berth', marker: 'Berth of runa', login: { path: '/enter', ...user } };
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', identities: [identity], startPaths: ['/berth'] },
  });
}
