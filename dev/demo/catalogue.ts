import type { DatabaseSync } from 'node:sqlite';

export type Product = {
  id: number;
  slug: string;
  name: string;
  category: string;
  cents: number;
  stock: number;
  text: string;
};

export const productsIn = (database: DatabaseSync, category: string | undefined): Product[] =>
  database
    .prepare('SELECT * FROM products WHERE ?1 IS NULL OR category = ?1 ORDER BY name')
    .all(category ?? null)
    .map(toProduct);

export function productBySlug(database: DatabaseSync, slug: string): Product | undefined {
  const row = database.prepare('SELECT * FROM products WHERE slug = ?').get(slug);
  return row && toProduct(row);
}

/** Products whose name or text contains the term. */
export const searchProducts = (database: DatabaseSync, term: string): Product[] =>
  database
    .prepare("SELECT * FROM products WHERE instr(lower(name || ' ' || text), lower(?)) > 0 ORDER BY name")
    .all(term)
    .map(toProduct);

const toProduct = (row: Record<string, unknown>): Product => ({
  id: Number(row.id),
  slug: String(row.slug),
  name: String(row.name),
  category: String(row.category),
  cents: Number(row.cents),
  stock: Number(row.stock),
  text: String(row.text),
});
