import express from 'express';
import nunjucks from 'nunjucks';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const escaping = new nunjucks.Environment(null, { autoescape: true });
const options: AuditOptions = { depth: 'deep', writes: 'create' };

/** Campaigns whose form demands the address of a sender; the page of each shows its text, and links to a preview that is a template. */
export function startCampaigns(variant: Variant): Promise<ScoreSite> {
  const campaigns: { subject: string; body: string }[] = [];
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => response.send('<a href="/campaigns">Campaigns</a><a href="/write">Write</a>'));
  app.get('/campaigns', (_request, response) =>
    response.send(
      escaping.renderString(
        '{% for each in all %}<p><a href="/campaigns/{{ loop.index }}">{{ each.subject }}</a>{% endfor %}',
        {
          all: campaigns,
        },
      ),
    ),
  );
  app.get('/write', (_request, response) =>
    response.send(
      '<form method="post" action="/campaigns"><input name="subject"><textarea name="body"></textarea><input name="sender" type="email"><button>Create</button></form>',
    ),
  );
  app.post('/campaigns', (request, response) => {
    const { subject = '', body = '', sender = '' } = request.body;
    if (subject === '' || body === '' || !/^\S+@\S+\.\w+$/.test(sender))
      return response.status(400).send('<p>Subject, text and sender are needed</p>');
    return response.redirect(303, `/campaigns/${campaigns.push({ subject, body })}`);
  });
  app.get('/campaigns/:id', (request, response) => {
    const campaign = campaigns[Number(request.params.id) - 1];
    if (!campaign) return response.status(404).send('<p>No such campaign</p>');
    const page = '<h1>{{ subject }}</h1><pre>{{ body }}</pre><a href="/campaigns/{{ id }}/preview">Preview</a>';
    return response.send(escaping.renderString(page, { ...campaign, id: request.params.id }));
  });
  app.get('/campaigns/:id/preview', (request, response) => {
    const campaign = campaigns[Number(request.params.id) - 1];
    if (!campaign) return response.status(404).send('<p>No such campaign</p>');
    const body = variant === 'vulnerable' ? campaign.body.replace(/</g, '&lt;') : '{{ body }}';
    try {
      return response.send(escaping.renderString(`<div>${body}</div>`, campaign));
    } catch {
      return response.status(500).send('<p>It cannot be shown</p>');
    }
  });
  return startApp(app, { options });
}

/** An API that makes cards of nested data, refuses some signs, and shows each below its own address, as data. */
export function startCardApi(variant: Variant): Promise<ScoreSite> {
  const cards: string[] = [];
  const app = express().use(express.json());
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Cards</h1><form id="card"><input name="name" value="Ann"><textarea name="words">Dear friend</textarea><button>Make card</button></form>
      <script>document.getElementById('card').onsubmit = async (event) => { event.preventDefault(); const form = event.target;
        await fetch('/api/cards', { method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ to: { name: form.name.value }, words: form.words.value }) }); };</script>`,
    ),
  );
  app.post('/api/cards', (request, response) => {
    const { to, words } = request.body ?? {};
    if (typeof to?.name !== 'string' || typeof words !== 'string' || /[_.]/.test(words))
      return response.status(400).json({ error: 'unsupported' });
    try {
      const text = variant === 'vulnerable' ? `Dear {{ name }}, ${words}` : 'Dear {{ name }}, {{ words }}';
      return response.status(201).json({ id: cards.push(escaping.renderString(text, { name: to.name, words })) });
    } catch {
      return response.status(400).json({ error: 'no card' });
    }
  });
  app.get('/api/cards/:id', (request, response) => {
    const text = cards[Number(request.params.id) - 1];
    return text === undefined ? response.status(404).json({ error: 'no card' }) : response.json({ text });
  });
  return startApp(app, { options });
}
