import { type Answer, html, redirect, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const dora = { path: '/login', username: 'dora', password: 'correct-horse-5' };
const identity = { name: 'A', checkPath: '/home', marker: 'Signed in as dora', login: dora };

const login = `<a href="/forgot-password">Forgotten?</a>
<form method="post" action="/login"><input name="username"><input type="password" name="password"></form>`;
const form = '<form method="post"><input name="username"><button>Send</button></form>';
const sent = html('<p>If that is an account, a message is on its way.</p>');

const caseOf = (name: string, unknown: Answer, known: Answer = sent): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startSite(({ method, path, body, cookies }) => {
      const fields = new URLSearchParams(body);
      const isDora = fields.get('username') === dora.username;
      if (method === 'POST' && path === '/login')
        return isDora && fields.get('password') === dora.password
          ? { status: 302, headers: { location: '/home', 'set-cookie': 'sid=k7f3; Path=/' } }
          : html('wrong', 401);
      if (path === '/home') return cookies.sid === 'k7f3' ? html('Signed in as dora') : redirect('/login');
      if (path === '/forgot-password' && method !== 'POST')
        return html(`<p>${decodeURIComponent(cookies.said ?? '')}</p>${form}`);
      if (path === '/forgot-password') return isDora || variant === 'patched' ? known : unknown;
      return path === '/' || path === '/login' ? html(login) : undefined;
    });
    return { ...site, options: { depth: 'deep', writes: 'create', identities: [identity] } };
  },
});

/** What is said is shown on the page that comes next. */
const saying = (words: string): Answer => ({
  status: 302,
  headers: { location: '/forgot-password', 'set-cookie': `said=${encodeURIComponent(words)}; Path=/` },
});

export const cases: ScoreCase[] = [
  caseOf('other words', html('<p>Nobody is called so.</p>')),
  caseOf('another status', html('<p>If that is an account, a message is on its way.</p>', 404)),
  caseOf('another page', redirect('/register')),
  caseOf('other words on the page that comes next', saying('Nobody is called so.'), saying('A message is on its way.')),
];
