import { searchProducts } from '../catalogue.ts';
import { queryValue } from '../form.ts';
import { DemoMarkup, html } from '../html.ts';
import { sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';
import { cards } from './cards.ts';

const maxTermCharacters = 200;

export function searchPage(app: App, shop: Shop): void {
  app.get('/search', (request, reply) => {
    const term = queryValue(request, 'q').slice(0, maxTermCharacters);
    const { products, error } = term.trim() === '' ? { products: [] } : searchProducts(shop, term.trim());
    const shownTerm = shop.weaknesses.searchTermUnescaped ? new DemoMarkup(term) : term;
    const body = html`<h1>Search</h1>
<form class="form row" action="/search"><label>What are you looking for? <input type="search" name="q" value="${term}" maxlength="${maxTermCharacters}"></label><button>Search</button></form>
${term !== '' && html`<p>${products.length === 0 ? 'Nothing' : products.length} found for <em>${shownTerm}</em></p>`}${error !== undefined && html`<p class="refused" role="alert">${error}</p>`}${cards(products)}`;
    return sendPage(shop, reply, request.visit, { title: 'Search', body });
  });
}
