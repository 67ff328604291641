import type { Product } from '../catalogue.ts';
import { type DemoMarkup, html } from '../html.ts';
import { price } from '../layout.ts';

/** Products side by side. */
export const cards = (products: readonly Product[]): DemoMarkup =>
  html`<ul class="cards">${products.map(
    (
      product,
    ) => html`<li><a href="/products/${product.slug}"><img src="/assets/${product.slug}.svg" alt="" width="240" height="200" loading="lazy">
<span class="name">${product.name}</span><span class="price">${price(product.cents)}</span></a></li>`,
  )}</ul>`;
