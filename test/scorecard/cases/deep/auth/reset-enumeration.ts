import { type Answer, html, redirect, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const dora = { path: '/login', username: 'dora', password: 'correct-horse-5' };
const identity = { name: 'A', checkPath: '/home', marker: 'Signed in as dora', login: dora };

const login = `<a href="/forgot-password">Forgotten?</a>
<form method="post" action="/login"><input name="username"><input type="password" name="password"></form>`;
const form = '<form method="post"><input name="username"><button>Send</button></form>';
const sent = html('<p>If that is an account, a message is on its way.</p>');

const caseOf = (name: string, unknown: Answer): ScoreCase => ({
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
      if (path === '/forgot-password' && method !== 'POST') return html(form);
      if (path === '/forgot-password') return isDora || variant === 'patched' ? sent : unknown;
      return path === '/' || path === '/login' ? html(login) : undefined;
    });
    return { ...site, options: { depth: 'deep', writes: 'create', identities: [identity] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('other words', html('<p>Nobody is called so.</p>')),
  caseOf('another status', html('<p>If that is an account, a message is on its way.</p>', 404)),
  caseOf('another page', redirect('/register')),
];
