import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Answer, escapeHtml, html, type Request, type Site, startSite } from '../../../fixtures/site.ts';

export type MemberOffice = Site & {
  /** Ends the session of a Cookie header. */
  forget(cookies: string): void;
};

const passwords = new Map(['anna', 'bea', 'root'].map((name) => [name, `password of ${name}`]));

const members = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Edsger Dijkstra'];

/**
 * An application of which nobody sees more than the login: a list whose order is part of a statement, a search that is posted with a
 * token of the session, a greeting that repeats a name, and a list for the administrator; and a handbook, which only they are led to and everybody can open.
 */
export async function openMemberOffice(safety: 'concatenated' | 'bound'): Promise<MemberOffice> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT)');
  for (const name of members) database.prepare('INSERT INTO members (name) VALUES (?)').run(name);
  const sessions = new Map<string, { user: string; token: string }>();
  const isWeak = safety === 'concatenated';

  const listed = (rows: unknown[]) =>
    html(
      `<table class="list">${rows.map((row) => `<tr><td>${(row as { name: string }).name}</td></tr>`).join('')}</table>`,
    );
  const select = (column: string) => {
    try {
      const order = isWeak ? column : ['id', 'name'].includes(column) ? column : 'id';
      return listed(database.prepare(`SELECT name FROM members ORDER BY '${order}'`).all());
    } catch (error) {
      return html(`<pre>${escapeHtml(String(error))}</pre>`, 500);
    }
  };
  const search = (text: string) => {
    const results = (rows: unknown[]) =>
      html(`<h1>Results</h1><ul>${rows.map((row) => `<li>${(row as { name: string }).name}</li>`).join('')}</ul>`);
    try {
      return isWeak
        ? results(database.prepare(`SELECT name FROM members WHERE name LIKE '%${text}%'`).all())
        : results(database.prepare('SELECT name FROM members WHERE name LIKE ?').all(`%${text}%`));
    } catch {
      return html('<h1>Nothing</h1>', 500);
    }
  };
  const logIn = ({ body }: Request): Answer => {
    const fields = new URLSearchParams(body);
    const user = fields.get('username') ?? '';
    if (passwords.get(user) !== fields.get('password')) return { status: 302, headers: { location: '/login?failed' } };
    const id = randomBytes(12).toString('hex');
    sessions.set(id, { user, token: randomBytes(10).toString('hex') });
    return { status: 302, headers: { location: '/', 'set-cookie': `office=${id}; Path=/; HttpOnly` } };
  };

  const site = await startSite((request) => {
    const { method, path, query, cookies } = request;
    if (path === '/login')
      return method === 'POST'
        ? logIn(request)
        : html(
            '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>',
          );
    const session = sessions.get(cookies.office ?? '');
    if (path === '/handbook') {
      const chapter = query.get('chapter') ?? '';
      return html(`<h3>Chapter ${isWeak ? chapter : escapeHtml(chapter)}</h3>`);
    }
    if (!session) return { status: 302, headers: { location: '/login' } };
    const { user, token } = session;
    if (path === '/') {
      const page =
        html(`<h1>Office</h1><p>Hello, ${user}</p><nav><a href="/members?sort=name">Members</a> <a href="/search">Search</a>
        <a href="/greeting?name=you">Greeting</a> <a href="/handbook?chapter=one">Handbook</a> ${user === 'root' ? '<a href="/accounts?order=id">Accounts</a>' : ''}</nav>`);
      return { ...page, headers: { ...page.headers, 'set-cookie': 'taste=plain; Path=/' } };
    }
    if (path === '/members') return select(query.get('sort') ?? 'id');
    if (path === '/accounts' && user === 'root') return select(query.get('order') ?? 'id');
    if (path === '/greeting') {
      const name = query.get('name') ?? '';
      return html(`<h2>Hello, ${isWeak ? name : escapeHtml(name)}</h2>`);
    }
    if (path !== '/search') return undefined;
    if (method === 'GET')
      return html(
        `<form role="search" method="post"><input type="hidden" name="csrf_token" value="${token}"><input name="text" type="search" value="a"><button>Search</button></form>`,
      );
    const fields = new URLSearchParams(request.body);
    return fields.get('csrf_token') === token ? search(fields.get('text') ?? '') : html('bad token', 403);
  });
  return {
    ...site,
    forget: (cookies) => void sessions.delete(/office=(\w+)/.exec(cookies)?.[1] ?? ''),
    async close() {
      await site.close();
      database.close();
    },
  };
}
