import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openSite, page } from './site.ts';

export const users: Record<string, string> = { alice: 'wonderland-7', bob: 'builder-9-yes' };
export const apiToken = 'tok_5f1d2c3b4a';

/** What becomes of a note that is to be deleted; `ignored` says that it is deleted. */
type Deletion = 'done' | 'refused' | 'failed' | 'ignored';

export type LoginSite = Awaited<ReturnType<typeof openLoginSite>>;

/**
 * A site with a login form (CSRF token, cookies), a JSON login, pages that differ for who is logged in, notes that can be
 * written, and a leaked key that opens its administration.
 * @param options.looksAlike its pages never show who is logged in
 */
export async function openLoginSite(options: { looksAlike?: boolean } = {}) {
  const sessions = new Map<string, string>();
  const tokens = new Set<string>();
  const attempts: { user: string; ok: boolean; tick: boolean }[] = [];
  const notes = new Map<string, string>();
  const adminKey = randomBytes(12).toString('hex');
  let deletion: Deletion = 'done';
  let deletionsLeft = 0;
  let afterNote = async () => {};
  let leaksLeft = Number.POSITIVE_INFINITY;

  const logIn = (user: string, password: string, tick = false) => {
    const ok = users[user] === password;
    attempts.push({ user, ok, tick });
    if (!ok) return undefined;
    const id = randomBytes(12).toString('hex');
    sessions.set(id, user);
    return id;
  };
  const userOf = (request: IncomingMessage) => {
    if (request.headers.authorization === `Bearer ${apiToken}` || request.headers['x-token'] === apiToken)
      return 'alice';
    const [, credentials = ''] = /^Basic (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const [name = '', password] = Buffer.from(credentials, 'base64').toString().split(':');
    if (name !== '' && users[name] === password) return name;
    return sessions.get(/session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
  };
  const home = (user: string | undefined) => {
    if (options.looksAlike) return '<h1>Welcome</h1>';
    const token = randomBytes(8).toString('hex');
    const links = '<a href="/notes">Notes</a>';
    return user
      ? `<h1>Welcome</h1><p>Hello, ${user}</p><a href="/logout">Log out</a><input type="hidden" value="${token}">${links}`
      : `<h1>Welcome</h1><a href="/login">Log in</a><input type="hidden" value="${token}">${links}`;
  };
  const form = () => {
    const token = randomBytes(8).toString('hex');
    tokens.add(token);
    return `<form action="/search"><input name="q"></form>
      <form action="/register" method="post"><input name="email"><input type="password" name="p1"><input type="password" name="p2"></form>
      <form action="/session" method="post"><input type="hidden" name="_csrf" value="${token}">
      <input name="user_email"><input type="password" name="pass"><input type="checkbox" name="keep" checked><button name="go" value="1">Go</button></form>`;
  };
  const postForm = async (request: IncomingMessage, response: ServerResponse) => {
    const fields = new URLSearchParams(await text(request));
    if (!tokens.delete(fields.get('_csrf') ?? '') || fields.get('go') !== '1') return page(response, 'bad token', 403);
    const id = logIn(fields.get('user_email') ?? '', fields.get('pass') ?? '', fields.get('keep') === 'on');
    const cookie = id && { 'set-cookie': `session=${id}; HttpOnly; Path=/` };
    response.writeHead(302, { location: id ? '/' : '/login?failed=1', ...cookie }).end();
  };
  const postJson = async (request: IncomingMessage, response: ServerResponse) => {
    const { username, password } = JSON.parse(await text(request)) as { username: string; password: string };
    const id = logIn(username, password);
    response.writeHead(id ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(id ? { data: { token: apiToken } } : { error: 'wrong' }));
  };

  const site = await openSite(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const user = userOf(request);
    if (request.method === 'POST' && pathname === '/session') return postForm(request, response);
    if (request.method === 'POST' && pathname === '/api/login') return postJson(request, response);
    if (pathname.startsWith('/notes/')) {
      if (!user) return page(response, 'who are you?', 401);
      if (request.method === 'PUT') {
        notes.set(pathname, await text(request));
        await afterNote();
      }
      if (request.method === 'DELETE') {
        const how = deletionsLeft-- > 0 ? deletion : 'done';
        if (how === 'refused') return page(response, 'locked', 403);
        if (how === 'failed') return page(response, 'try again', 500);
        if (how === 'ignored') return page(response, 'deleted');
        notes.delete(pathname);
      }
      return notes.has(pathname) ? page(response, notes.get(pathname) ?? '') : page(response, 'none', 404);
    }
    if (pathname === '/config' && leaksLeft-- > 0) return page(response, `key=${adminKey}`);
    if (pathname === '/admin')
      return request.headers['x-key'] === adminKey ? page(response, 'all accounts') : page(response, 'no', 403);
    if (pathname === '/login') return page(response, form());
    if (pathname === '/logout') {
      for (const [id, name] of sessions) if (name === user) sessions.delete(id);
      return page(response, 'bye');
    }
    if (pathname === '/') return page(response, home(user));
    return page(response, 'not found', 404);
  });
  return {
    ...site,
    url: `http://site.localhost:${site.port}/`,
    attempts,
    sessions,
    notes,
    adminKey: () => adminKey,
    /** How the next deletions of notes go; those after them are done. */
    deleting: (how: Deletion, times = Number.POSITIVE_INFINITY) => {
      deletion = how;
      deletionsLeft = times;
    },
    /** Runs once a note is stored, before that is answered. */
    onNote: (then: () => Promise<void>) => {
      afterNote = then;
    },
    /** How often the page with the key will still show it. */
    leakTimes: (times: number) => {
      leaksLeft = times;
    },
    /** Ends every session, as a restart of the site would. */
    forget: () => sessions.clear(),
  };
}
