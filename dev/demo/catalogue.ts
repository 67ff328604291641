import type { DatabaseSync } from 'node:sqlite';
import type { Shop } from './shop.ts';

export type Product = {
  id: number;
  slug: string;
  name: string;
  category: string;
  cents: number;
  stock: number;
  text: string;
};

type Storage = Pick<Shop, 'weaknesses' | 'database'>;

/** Products of a category, or all. */
export function productsIn({ weaknesses, database }: Storage, category: string | undefined): Product[] {
  if (category === undefined) return read(database, 'SELECT * FROM products ORDER BY name');
  if (weaknesses.categoryInStatement)
    return read(database, `SELECT * FROM products WHERE category = '${category}' ORDER BY name`);
  return read(database, 'SELECT * FROM products WHERE category = ? ORDER BY name', category);
}

export function productBySlug(database: DatabaseSync, slug: string): Product | undefined {
  const row = database.prepare('SELECT * FROM products WHERE slug = ?').get(slug);
  return row && toProduct(row);
}

type Found = { products: Product[]; error?: string };

/** Products whose name or text contains the term. */
export function searchProducts({ weaknesses, database }: Storage, term: string): Found {
  const find = (value: string) =>
    `SELECT * FROM products WHERE instr(lower(name || ' ' || text), lower(${value})) > 0 ORDER BY name`;
  if (!weaknesses.searchTermInStatement) return { products: read(database, find('?'), term) };
  try {
    return { products: read(database, find(`'${term}'`)) };
  } catch (error) {
    return { products: [], error: String(error) };
  }
}

/** SQLite runs the first statement of a text alone, so what is read here cannot be changed by it. */
const read = (database: DatabaseSync, statement: string, ...values: string[]): Product[] =>
  database
    .prepare(statement)
    .all(...values)
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
