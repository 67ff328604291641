import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** A shop that keeps which programs its visitors came with; its administrator reads the list. */
export function startVisitLog(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE visits (id INTEGER PRIMARY KEY, agent TEXT)');
  const engine = new nunjucks.Environment(null, { autoescape: variant === 'patched' });
  const isManager = (cookie = '') => /(?:^|; )sid=session-of-may-73(?:;|$)/.test(cookie);
  const app = express();
  app.get('/', (request, response) => {
    database.prepare('INSERT INTO visits (agent) VALUES (?)').run(request.get('user-agent') ?? '');
    response.send('<h1>Lamps</h1><p>Welcome</p>');
  });
  app.get('/visits', (request, response) => {
    if (!isManager(request.headers.cookie)) return void response.status(403).send('<h1>Staff only</h1>');
    const visits = database.prepare('SELECT agent FROM visits ORDER BY id').all();
    response.send(
      engine.renderString(
        '<p>Signed in as May</p><table>{% for visit in visits %}<tr><td>{{ visit.agent }}</td></tr>{% endfor %}</table>',
        { visits },
      ),
    );
  });
  const may = { name: 'may', role: 'admin', cookies: { sid: 'session-of-may-73' }, checkPath: '/visits' };
  return startApp(app, {
    options: {
      ...{ depth: 'deep', writes: 'create', startPaths: ['/visits'] },
      identities: [{ ...may, marker: 'Signed in as May' }],
    },
    close: () => database.close(),
  });
}
