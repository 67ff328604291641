import { DatabaseSync } from 'node:sqlite';
import { newPeople } from './people.ts';

export type User = {
  id: number;
  username: string;
  password: string;
  name: string;
  email: string;
  bio: string;
  is_staff: number;
};

/** Who has an account, their sessions, and two records of each patient. */
export function openClinicDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT, password TEXT, name TEXT, email TEXT, bio TEXT, is_staff INTEGER);
    CREATE TABLE sessions (key TEXT PRIMARY KEY, user INTEGER, csrf TEXT);
    CREATE TABLE records (id TEXT PRIMARY KEY, owner INTEGER, date TEXT, note TEXT, contact TEXT)`);
  for (const { id, username, password, name, mail, street, role } of newPeople()) {
    database
      .prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, username, password, name, mail, `Lives at ${street}`, Number(role === 'admin'));
    for (const date of ['2024-03-11', '2024-05-02'])
      database
        .prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?)')
        .run(crypto.randomUUID(), id, date, `Blood pressure ${100 + id} over ${id}`, mail);
  }
  return database;
}
