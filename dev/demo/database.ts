import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { identities } from './identities.ts';
import { hashPassword } from './passwords.ts';
import { products } from './products.ts';

/** Of the tables below and of the hashes of passwords. A database of another version is made anew. */
const schemaVersion = 3;

const schema = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, name TEXT NOT NULL,
  street TEXT NOT NULL, city TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('customer', 'admin'))
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category TEXT NOT NULL,
  cents INTEGER NOT NULL, stock INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, placed_on TEXT NOT NULL,
  status TEXT NOT NULL, note TEXT NOT NULL
);
CREATE TABLE order_lines (
  order_id INTEGER NOT NULL REFERENCES orders, product_id INTEGER NOT NULL REFERENCES products, quantity INTEGER NOT NULL
);
CREATE TABLE sessions (id_hash TEXT PRIMARY KEY, user_id INTEGER REFERENCES users, expires_at INTEGER NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY, email TEXT NOT NULL, text TEXT NOT NULL, sent_at TEXT NOT NULL);
`;

const orders = [
  {
    id: 1041,
    email: identities.a.email,
    on: '2026-01-18',
    status: 'delivered',
    note: 'Please ring twice',
    lines: [
      [1, 4],
      [4, 1],
    ],
  },
  {
    id: 1042,
    email: identities.b.email,
    on: '2026-02-02',
    status: 'delivered',
    note: 'Leave with the neighbour at number 5',
    lines: [[6, 1]],
  },
  {
    id: 1043,
    email: identities.b.email,
    on: '2026-02-20',
    status: 'in the workshop',
    note: 'Second floor, narrow stairs',
    lines: [
      [2, 1],
      [7, 2],
    ],
  },
  {
    id: 1044,
    email: identities.a.email,
    on: '2026-02-27',
    status: 'in the workshop',
    note: 'Call before delivery',
    lines: [[8, 1]],
  },
] as const;

/** Opens the shop's database; a new one gets its tables, products, people and orders. */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
  );
  if (database.prepare('PRAGMA user_version').get()?.user_version !== schemaVersion) fill(database);
  return database;
}

function fill(database: DatabaseSync): void {
  const tables = ['messages', 'sessions', 'order_lines', 'orders', 'products', 'users'];
  const drop = tables.map((name) => `DROP TABLE IF EXISTS ${name};`).join('');
  database.exec(`BEGIN IMMEDIATE;${drop}${schema}PRAGMA user_version = ${schemaVersion};`);
  const user = database.prepare(
    'INSERT INTO users (email, password, name, street, city, role) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { email, password, name, street, city, role } of Object.values(identities))
    user.run(email, hashPassword(password), name, street, city, role);
  const product = database.prepare(
    'INSERT INTO products (slug, name, category, cents, stock, text) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { slug, name, category, cents, stock, text } of products)
    product.run(slug, name, category, cents, stock, text);
  const order = database.prepare(
    'INSERT INTO orders (id, user_id, placed_on, status, note) SELECT ?, id, ?, ?, ? FROM users WHERE email = ?',
  );
  const line = database.prepare('INSERT INTO order_lines (order_id, product_id, quantity) VALUES (?, ?, ?)');
  for (const { id, email, on, status, note, lines } of orders) {
    order.run(id, on, status, note, email);
    for (const [productId, quantity] of lines) line.run(id, productId, quantity);
  }
  database.exec('COMMIT');
}
