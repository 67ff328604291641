import { randomBytes } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type ResetDesign = {
  /** What the session keeps of the question's answer: nothing, that there was one, or whose question it was. */
  kept: 'nothing' | 'that' | 'whose';
  /** It asks for nothing but the name. */
  asksNothing?: boolean;
  /** Each form for a new password has a token of the session. */
  hasToken?: boolean;
  /** All forms have it, and a login begins another session. */
  hasTokens?: boolean;
  /** No page shows whose session it is. */
  isNameless?: boolean;
  /** Registering takes a town, and the page does not say so. */
  wantsUnsaid?: boolean;
  /** The account that is there was registered with another town than further ones. */
  isFurther?: boolean;
};

type Account = { password: string; town: string };
type Session = { user?: string; asked?: string; token: string };

const page = (body: string): string =>
  `<!doctype html><title>Allotments</title><a href="/login">Log in</a> <a href="/join/register">Register</a> <a href="/forgot">Forgot your password?</a>${body}`;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A site on which everybody opens an account, and sets a new password in three pages, the last of which has the name in a hidden field. */
export async function startResetSite({ kept, asksNothing = false, ...design }: ResetDesign): Promise<ScoreSite> {
  const {
    hasTokens = false,
    hasToken = hasTokens,
    isNameless = false,
    wantsUnsaid = false,
    isFurther = false,
  } = design;
  const needsToken = (path: string): boolean => hasTokens || (hasToken && path.startsWith('/forgot'));
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, Session>();
  const app = express().use(express.urlencoded({ extended: false }));
  const sessionOf = (request: Request, response: Response): Session => {
    const known = sessions.get(/\bsid=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '');
    return known ?? begin(response);
  };
  const begin = (response: Response, user?: string): Session => {
    const [id, token] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const session = { token, ...(user !== undefined && { user }) };
    sessions.set(id, session);
    response.append('set-cookie', `sid=${id}; Path=/; HttpOnly`);
    return session;
  };
  const form = ({ token }: Session, action: string, fields: string, button: string) =>
    `<form method="post" action="${action}">${needsToken(action) ? `<input type="hidden" name="csrf_token" value="${token}">` : ''}${fields}<button>${button}</button></form>`;
  type Answer = (session: Session, body: Record<string, unknown>, response: Response) => string | undefined;
  const handle = (path: string, answer: Answer) =>
    app.post(path, (request, response) => {
      const session = sessionOf(request, response);
      if (needsToken(path) && request.body?.csrf_token !== session.token)
        return void response.status(403).send(page('Too old'));
      const said = answer(session, request.body ?? {}, response);
      if (said?.startsWith('/')) response.redirect(said);
      else response.status(said === undefined ? 400 : 200).send(page(said ?? '<p>That is not right.</p>'));
    });
  const show = (path: string, body: (session: Session) => string) =>
    app.get(path, (request, response) => void response.send(page(body(sessionOf(request, response)))));
  const own = '<input name="username"><input type="password" name="password">';
  const greetingOf = (user: string) => (isNameless ? 'What grows in your garden?' : `Garden of ${user}`);
  show('/', ({ user }) => `<p>${user === undefined ? 'Rent a garden.' : greetingOf(user)}</p>`);
  show('/login', (session) => form(session, '/login', own, 'Log in'));
  show('/join/register', (session) =>
    form(session, '/join/register', `${own}<input name="town"${wantsUnsaid ? '' : ' required'}>`, 'Create account'),
  );
  show('/forgot', (session) => form(session, '/forgot', '<input name="username">', 'Next'));
  handle('/join/register', (_session, { username, password, town }) => {
    if (!/^\w{3,20}$/.test(text(username)) || accounts.has(text(username)) || text(town) === '') return undefined;
    accounts.set(text(username), { password: text(password), town: text(town) });
    return '/login';
  });
  handle('/login', (session, { username, password }, response) => {
    if (accounts.get(text(username))?.password !== text(password)) return undefined;
    if (hasTokens) begin(response, text(username));
    else session.user = text(username);
    return '/';
  });
  const last = (session: Session, name: string) => {
    session.asked = name;
    const fields = `<input type="hidden" name="account" value="${name}"><input type="password" name="password">`;
    return form(session, '/forgot/set', fields, 'Save');
  };
  handle('/forgot', (session, { username }) => {
    const name = text(username);
    if (!accounts.has(name)) return undefined;
    const fields = `<input type="hidden" name="account" value="${name}"><label>Town <input name="town"></label>`;
    return asksNothing ? last(session, name) : form(session, '/forgot/answer', fields, 'Next');
  });
  handle('/forgot/answer', (session, { account, town }) =>
    accounts.get(text(account))?.town === text(town) ? last(session, text(account)) : undefined,
  );
  handle('/forgot/set', (session, { account, password }) => {
    if (kept !== 'nothing' && session.asked === undefined) return undefined;
    const known = accounts.get(kept === 'whose' ? (session.asked ?? '') : text(account));
    if (!known) return undefined;
    known.password = text(password);
    return '/login';
  });
  accounts.set('audit7one', { password: 'Aa1-audit7one', town: isFurther ? 'Quay' : 'a' });
  const login = { path: '/login', username: 'audit7one', password: 'Aa1-audit7one' };
  const identities = [
    { name: 'registered_1', checkPath: '/', marker: isNameless ? 'your garden' : 'audit7one', login },
  ];
  return startApp(app, { options: { depth: 'deep', writes: 'create', identities } });
}
