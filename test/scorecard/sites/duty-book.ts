import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const tokens = { a: 'duty-4be1c7a09f52d3', b: 'duty-91c02e77ab40f6' };

/** An application of script whose pages are behind "#", and whose token its script keeps: without it each page is that of the login. */
export async function startDutyBook(variant: Variant): Promise<ScoreSite> {
  const notes = ['Keys are at the desk'];
  const put = variant === 'vulnerable' ? 'innerHTML' : 'textContent';
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) =>
    response.send(`<!doctype html><title>Duties</title><div id="app"></div><script>
      const token = localStorage.getItem('duty');
      const ask = (options) => fetch('/api/notes', { ...options, headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' } });
      const pages = {
        '#/login': () => { app.innerHTML = '<form><input id="name"><input type="password"><button>Log in</button></form>'; },
        '#/': () => { app.innerHTML = '<a href="#/notes">Notes of all</a>'; },
        '#/notes': async () => {
          app.innerHTML = '<ul></ul><form><textarea></textarea><button>Add note</button></form>';
          const load = async () => app.querySelector('ul').replaceChildren(
            ...(await (await ask()).json()).map((note) => Object.assign(document.createElement('li'), { ${put}: note })));
          app.querySelector('form').onsubmit = (event) => {
            event.preventDefault();
            ask({ method: 'POST', body: JSON.stringify({ note: app.querySelector('textarea').value || 'Note' }) }).then(load);
          };
          load();
        },
      };
      const draw = () => (pages[token ? location.hash || '#/' : '#/login'] ?? pages['#/'])();
      addEventListener('hashchange', draw);
      draw();
    </script>`),
  );
  app.use('/api', ({ headers: { authorization } }, response, next) =>
    Object.values(tokens).some((token) => authorization === `Bearer ${token}`) ? next() : void response.sendStatus(401),
  );
  app.get('/api/me', ({ headers: { authorization } }, response) =>
    response.json({ name: authorization?.endsWith(tokens.a) ? 'Ann' : 'Bob' }),
  );
  app.get('/api/notes', (_request, response) => response.json(notes));
  app.post('/api/notes', (request, response) => {
    notes.push(String(request.body.note ?? ''));
    response.status(201).json({ id: notes.length });
  });
  const site = await startApp(app);
  const { origin } = new URL(site.url);
  const member = (name: keyof typeof tokens, marker: string) => ({
    ...{
      name,
      marker,
      checkPath: '/api/me',
      headers: [['Authorization', `Bearer ${tokens[name]}`]] as [string, string][],
    },
    storage: { [origin]: { local: { duty: tokens[name] }, session: {} } },
  });
  return {
    ...site,
    options: { depth: 'deep', writes: 'create', identities: [member('a', 'Ann'), member('b', 'Bob')] },
  };
}
