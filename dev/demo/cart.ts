import type { DatabaseSync } from 'node:sqlite';
import { type Product, productBySlug } from './catalogue.ts';

const cartCookieName = 'shop_cart';
const mostLines = 12;
const mostOfOne = 9;

type CartLine = { product: Product; quantity: number };

/** The cart is kept by the browser: "holm-chair:2.oak-table:1". What is not in the catalogue falls out. */
export function readCart(database: DatabaseSync, cookies: Map<string, string>): CartLine[] {
  const lines = (cookies.get(cartCookieName) ?? '').split('.').slice(0, mostLines);
  return lines.flatMap((line) => {
    const [slug = '', amount = ''] = line.split(':');
    const product = productBySlug(database, slug);
    const quantity = Math.min(Number.parseInt(amount, 10), mostOfOne);
    return product && quantity > 0 ? [{ product, quantity }] : [];
  });
}

/** The cart with the quantity of one product changed; 0 takes it out. */
export function withQuantity(lines: readonly CartLine[], product: Product, quantity: number): CartLine[] {
  const others = lines.filter((line) => line.product.id !== product.id);
  return quantity > 0 ? [...others, { product, quantity: Math.min(quantity, mostOfOne) }] : others;
}

export const cartCookie = (lines: readonly CartLine[]): string =>
  `${cartCookieName}=${lines.map(({ product, quantity }) => `${product.slug}:${quantity}`).join('.')}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000`;
