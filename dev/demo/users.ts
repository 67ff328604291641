import type { DatabaseSync } from 'node:sqlite';
import { hashPassword, isPassword } from './passwords.ts';

export type DemoUser = { id: number; email: string; name: string; street: string; city: string; role: string };

const columns = 'id, email, name, street, city, role';

export function userById(database: DatabaseSync, id: number): DemoUser | undefined {
  const row = database.prepare(`SELECT ${columns} FROM users WHERE id = ?`).get(id);
  return row && toUser(row);
}

/** Unknown addresses cost as much time as wrong passwords. */
const noPassword = hashPassword('');

/** The user with this e-mail address and password. */
export function userByPassword(database: DatabaseSync, email: string, password: string): DemoUser | undefined {
  const row = database
    .prepare(`SELECT ${columns}, password FROM users WHERE email = ?`)
    .get(email.trim().toLowerCase());
  const isRight = isPassword(row ? String(row.password) : noPassword, password);
  return row && isRight ? toUser(row) : undefined;
}

export const customers = (database: DatabaseSync): DemoUser[] =>
  database.prepare(`SELECT ${columns} FROM users WHERE role = 'customer' ORDER BY name`).all().map(toUser);

const toUser = (row: Record<string, unknown>): DemoUser => ({
  id: Number(row.id),
  email: String(row.email),
  name: String(row.name),
  street: String(row.street),
  city: String(row.city),
  role: String(row.role),
});
