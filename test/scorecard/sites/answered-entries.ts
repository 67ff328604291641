import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const escaping = new nunjucks.Environment(null, { autoescape: true });

/** Letters that an API makes, which answers with their number: no page links to the preview of a new one. */
export function startLetters(variant: Variant): Promise<ScoreSite> {
  const letters = [{ title: 'Welcome', words: 'We open at nine' }];
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => {
    response.send(
      `<h1>Letters</h1><a href="/letters/1/preview">Welcome</a>
      <form method="post" action="/api/letters"><input name="title"><textarea name="words"></textarea><button>Add letter</button></form>`,
    );
  });
  app.post('/api/letters', (request, response) => {
    const { title = '', words = '' } = request.body;
    const id = letters.push({ title, words });
    response.status(201).json({ created: { id, title } });
  });
  app.get('/letters/:id/preview', (request, response) => {
    const letter = letters[Number(request.params.id) - 1];
    if (!letter) return response.status(404).send('<h1>No such letter</h1>');
    const words = variant === 'vulnerable' ? letter.words.replace(/</g, '&lt;') : '{{ words }}';
    return response.send(escaping.renderString(`<h1>{{ title }}</h1><p>${words}</p>`, letter));
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}
