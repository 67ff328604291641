import type { DatabaseSync } from 'node:sqlite';
import type { DemoUser } from './users.ts';
import type { Weaknesses } from './weaknesses.ts';

export type Order = {
  id: number;
  placedOn: string;
  status: string;
  note: string;
  customer: { name: string; street: string; city: string };
  lines: { slug: string; name: string; quantity: number; cents: number }[];
};

type OrderSummary = { id: number; placedOn: string; status: string; customer: string; cents: number };

/** An order with its lines, for the customer it belongs to and for staff. */
export function findOrder(
  weaknesses: Weaknesses,
  database: DatabaseSync,
  user: DemoUser,
  id: number,
): Order | undefined {
  const row = database
    .prepare('SELECT orders.*, name, street, city FROM orders JOIN users ON users.id = user_id WHERE orders.id = ?')
    .get(id);
  if (!row) return undefined;
  const isAllowed = user.role === 'admin' || Number(row.user_id) === user.id;
  if (!weaknesses.ordersOfOthersReadable && !isAllowed) return undefined;
  return {
    id: Number(row.id),
    placedOn: String(row.placed_on),
    status: String(row.status),
    note: String(row.note),
    customer: { name: String(row.name), street: String(row.street), city: String(row.city) },
    lines: linesOf(database, id),
  };
}

function linesOf(database: DatabaseSync, orderId: number): Order['lines'] {
  return database
    .prepare('SELECT slug, name, quantity, cents FROM order_lines JOIN products ON id = product_id WHERE order_id = ?')
    .all(orderId)
    .map((row) => ({
      slug: String(row.slug),
      name: String(row.name),
      quantity: Number(row.quantity),
      cents: Number(row.cents),
    }));
}

const summaries = `
SELECT orders.id, placed_on, status, users.name AS customer, SUM(quantity * cents) AS cents
FROM orders JOIN users ON users.id = user_id JOIN order_lines ON order_id = orders.id JOIN products ON products.id = product_id`;

export const ordersOf = (database: DatabaseSync, userId: number): OrderSummary[] =>
  database
    .prepare(`${summaries} WHERE user_id = ? GROUP BY orders.id ORDER BY orders.id DESC`)
    .all(userId)
    .map(toSummary);

export const allOrders = (database: DatabaseSync): OrderSummary[] =>
  database.prepare(`${summaries} GROUP BY orders.id ORDER BY orders.id DESC`).all().map(toSummary);

const toSummary = (row: Record<string, unknown>): OrderSummary => ({
  id: Number(row.id),
  placedOn: String(row.placed_on),
  status: String(row.status),
  customer: String(row.customer),
  cents: Number(row.cents),
});
