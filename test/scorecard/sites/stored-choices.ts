import express from 'express';
import nunjucks from 'nunjucks';
import { startApp } from './express.ts';

const pages = new nunjucks.Environment(null, { autoescape: true });
const identities = [{ name: 'A', cookies: { sid: 'lena-3391' }, checkPath: '/card', marker: 'Card of Lena' }];
const settings =
  '<form method="post"><select name="voice"><option>alto</option><option>bass</option></select><input name="motto" value="{{ motto }}"><button>Save</button></form>';

/** Settings with a text and a choice, which replace each other's old values, and a card that is made of the text. */
export function startCardOfSinger(variant: 'vulnerable' | 'patched') {
  const kept = { voice: 'alto', motto: 'Sing!' };
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    request.headers.cookie?.includes('sid=lena-3391') ? next() : void response.status(403).send('<h1>Closed</h1>'),
  );
  app.get('/card', (_request, response) => {
    const motto = variant === 'vulnerable' ? kept.motto.replaceAll('<', '&lt;') : '{{ motto }}';
    const links = '<a href="/settings">Settings</a>';
    response.send(pages.renderString(`<h1>Card of Lena</h1>${links}<p>${motto}</p><small>{{ voice }}</small>`, kept));
  });
  app.get('/settings', (_request, response) => void response.send(pages.renderString(settings, kept)));
  app.post('/settings', (request, response) => {
    Object.assign(kept, { voice: String(request.body.voice), motto: String(request.body.motto) });
    response.redirect(303, '/card');
  });
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', identities, startsAtCheckPages: true },
  });
}
