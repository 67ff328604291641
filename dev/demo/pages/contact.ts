import { field } from '../form.ts';
import { html } from '../html.ts';
import { notice, postForm, sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

const maxTextCharacters = 4_000;

export function contactPages(app: App, shop: Shop): void {
  app.get('/contact', (request, reply) => {
    const body = html`<section class="narrow"><h1>Write to us</h1><p>Ask about timber, dimensions or a repair. We answer within two days.</p>
${postForm(
  request.visit,
  '/contact',
  html`<label>E-mail address <input type="email" name="email" value="${request.visit.user?.email}" maxlength="200" required></label>
<label>Message <textarea name="message" rows="6" maxlength="${maxTextCharacters}" required></textarea></label><button>Send</button>`,
)}</section>`;
    return sendPage(shop, reply, request.visit, { title: 'Write to us', body });
  });

  app.post('/contact', (request, reply) => {
    const [email, text] = [field(request, 'email'), field(request, 'message')];
    const isUsable = /^[^\s@]{1,64}@[^\s@]{1,135}$/.test(email) && text !== '' && text.length <= maxTextCharacters;
    if (!isUsable)
      return notice(
        shop,
        request,
        reply,
        400,
        'We did not understand that',
        'Please give an e-mail address and a message.',
      );
    shop.database
      .prepare('INSERT INTO messages (email, text, sent_at) VALUES (?, ?, ?)')
      .run(email, text, new Date().toISOString());
    return notice(shop, request, reply, 200, 'Thank you', 'We have your message and answer within two days.');
  });
}
