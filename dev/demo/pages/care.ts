import { queryValue } from '../form.ts';
import { guides, readGuide } from '../guides.ts';
import { html } from '../html.ts';
import { notice, sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

export function carePages(app: App, shop: Shop): void {
  app.get('/care', (request, reply) => {
    const body = html`<section class="narrow"><h1>Care and repair</h1>
<p>What is looked after grows old well. Our people wrote down how they treat their own furniture.</p>
<dl>${guides.map(({ file, title, text }) => html`<dt><a href="/care/guide?file=${file}">${title}</a></dt><dd>${text} <a href="/downloads/${file}">For printing</a></dd>`)}</dl>
<p>Something is broken? <a href="/contact">Write to us</a>, repairs are free for the first owner.</p></section>`;
    return sendPage(shop, reply, request.visit, { title: 'Care and repair', body });
  });

  app.get('/care/guide', async (request, reply) => {
    const text = await readGuide(shop, queryValue(request, 'file'));
    if (text === undefined)
      return notice(shop, request, reply, 404, 'Page not found', 'We have not written this one yet.');
    const body = html`<section class="narrow"><p class="crumb"><a href="/care">Care and repair</a></p><p class="guide">${text}</p></section>`;
    return sendPage(shop, reply, request.visit, { title: 'Care', body });
  });
}
