import { DatabaseSync } from 'node:sqlite';

/** What a shop of lamps has in SQLite. */
export function openLamps(): DatabaseSync {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(`CREATE TABLE lamps (id INTEGER PRIMARY KEY, title TEXT, price INTEGER);
    INSERT INTO lamps (title, price) VALUES ('Desk lamp', 20), ('Paper lamp', 12), ('Floor lamp', 40), ('Amber bulb', 3)`);
  return database;
}
