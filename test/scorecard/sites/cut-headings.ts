import ejs from 'ejs';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** Cards with a heading of at most 40 characters, and a text that is a template of its own. */
export function startCutHeadings(variant: Variant): Promise<ScoreSite> {
  const cards = [{ heading: 'Opening', text: 'Open on <%= day %>' }];
  const page = (body: string, values = {}) => ejs.render(`<p><a href="/">Cards</a></p>${body}`, values);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      page(
        `<% cards.forEach(({ heading }, at) => { %><p><a href="/card/<%= at + 1 %>"><%= heading %></a></p><% }) %>
        <form method="post" action="/cards"><input name="heading"><textarea name="text"></textarea><button>Keep</button></form>`,
        { cards },
      ),
    ),
  );
  app.post('/cards', (request, response) => {
    const [heading, text] = [String(request.body.heading ?? ''), String(request.body.text ?? '')];
    cards.push({ heading: heading.slice(0, 40), text });
    response.redirect(303, `/card/${cards.length}`);
  });
  app.get('/card/:number', (request, response) => {
    const card = cards[Number(request.params.number) - 1];
    if (!card) return void response.status(404).send('<h1>No such card</h1>');
    response.send(page('<h1><%= heading %></h1><p><%= text %></p>', { ...card, text: shown(card.text, variant) }));
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}

function shown(text: string, variant: Variant): string {
  if (variant === 'patched') return text;
  try {
    return ejs.render(text, { day: 'Monday' });
  } catch {
    return 'This text cannot be shown.';
  }
}
