import { html } from '../html.ts';
import { sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

/** A part of the shop that runs in the browser: put a piece together from the JSON API. Source: site/src/studio. */
export function studioPage(app: App, shop: Shop): void {
  app.get('/studio', (request, reply) => {
    const { oldLibrary, fragmentAsMarkup, tokenInStorage } = shop.weaknesses;
    const body = html`<h1>The studio</h1><p>Choose a piece and its wood. We build what you see here.</p>
<div id="studio" data-messages="${fragmentAsMarkup ? 'markup' : 'text'}" data-access="${tokenInStorage ? 'token' : 'session'}"><p>One moment …</p></div>
<noscript><p>The studio needs JavaScript. <a href="/catalogue">Everything that we make</a> is in the catalogue, too.</p></noscript>`;
    const library = oldLibrary ? ['/assets/vendor/jquery-3.4.1.min.js'] : [];
    const scripts = [...library, '/assets/studio.js'];
    return sendPage(shop, reply, request.visit, { title: 'The studio', body, scripts });
  });
}
