import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/**
 * An application whose script draws all pages: each list has one that the server knows nothing of, with its tasks behind a tab.
 * @param drawn in the page itself, or in a component that holds further ones
 */
export function startTaskPages(
  variant: Variant,
  drawn: 'in the page' | 'in components' = 'in the page',
): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE tasks (id INTEGER PRIMARY KEY, list INTEGER, title TEXT)');
  const add = database.prepare('INSERT INTO tasks (list, title) VALUES (?, ?)');
  for (const list of [1, 2, 3]) add.run(list, 'Water the plants');
  const put = variant === 'vulnerable' ? 'innerHTML' : 'textContent';
  const app = express();
  app.use(express.json());
  app.get('/api/lists/:id', (request, response) => {
    const tasks = database.prepare('SELECT id, title FROM tasks WHERE list = ?').all(request.params.id);
    response.json({ id: Number(request.params.id), tasks });
  });
  app.post('/api/tasks', (request, response) => {
    const { list, title = '' } = request.body;
    if (title === '') return void response.status(400).json({ error: 'title is missing' });
    response.status(201).json({ id: Number(add.run(Number(list), String(title)).lastInsertRowid) });
  });
  app.get(['/', '/about', '/lists/:id'], (_request, response) =>
    response.send(`<!doctype html><title>Plans</title><body></body><script>
      const within = (parent) => ${drawn === 'in the page' ? 'parent' : "parent.appendChild(document.createElement('task-part')).attachShadow({ mode: 'open' })"};
      const root = within(document.body);
      const [nav, main] = ['nav', 'main'].map((name) => root.appendChild(document.createElement(name)));
      const go = (path) => { history.pushState({}, '', path); draw(); };
      const button = (parent, text, onclick, role) => {
        const made = Object.assign(document.createElement('button'), { textContent: text, type: 'button', onclick });
        if (role) made.setAttribute('role', role);
        parent.append(made);
      };
      const showList = async (id) => {
        const { tasks } = await (await fetch('/api/lists/' + id)).json();
        const area = document.createElement('section');
        button(main, 'Notes', () => area.replaceChildren('No notes'), 'tab');
        button(main, 'Tasks', () => {
          area.replaceChildren(...tasks.map(({ title }) => Object.assign(document.createElement('p'), { ${put}: title })));
        }, 'tab');
        const title = Object.assign(document.createElement('input'), { ariaLabel: 'Title' });
        main.append(title, area);
        button(main, 'Add', async () => {
          await fetch('/api/tasks', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ list: Number(id), title: title.value }) });
          draw();
        });
      };
      const draw = () => {
        const [, part, id] = location.pathname.split('/');
        main.replaceChildren(part === 'about' ? 'Plans of the garden club' : '');
        if (part === 'lists') return showList(id);
        if (part === '') for (const each of [1, 2, 3]) {
          const entry = main.appendChild(Object.assign(document.createElement('div'), { onclick: () => go('/lists/' + each) }));
          within(entry).append('List ' + each);
        }
      };
      button(nav, 'All lists', () => go('/'));
      button(nav, 'About', () => go('/about'));
      draw();
    </script>`),
  );
  return startApp(app, { options: { depth: 'deep', writes: 'create' }, close: () => database.close() });
}
