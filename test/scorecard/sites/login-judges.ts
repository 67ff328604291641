import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { DOMParser } from '@xmldom/xmldom';
import { Query } from 'mingo';
import xpath from 'xpath';
import type { Judge } from './login-sites.ts';

export const accounts = [
  { name: 'admin', password: 'k3-Werft-91' },
  { name: 'ina', password: 'v7-Boje-44' },
];
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE users (name TEXT, password TEXT, digest TEXT)');
for (const { name, password } of accounts)
  database
    .prepare('INSERT INTO users VALUES (?, ?, ?)')
    .run(name, password, createHash('md5').update(password).digest('hex'));
type Row = { name: string; password: string };
export const rows = (statement: string): Row[] => database.prepare(statement).all() as Row[];
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const only = (found: readonly { name: string }[]): string | undefined =>
  found.length === 1 ? found[0]?.name : undefined;
export const bound: Judge = ({ name, password }) =>
  (database.prepare('SELECT * FROM users WHERE name = ? AND password = ?').get(text(name), text(password)) as Row)
    ?.name;

const directory = new DOMParser().parseFromString(
  `<users>${accounts.map(({ name, password }) => `<user><name>${name}</name><password>${password}</password></user>`).join('')}</users>`,
  'text/xml',
);
export const inXml: Judge = ({ name, password }) => {
  const found = xpath.select(
    `//user[name/text()='${text(name)}' and password/text()='${text(password)}']/name/text()`,
    directory as never,
  );
  return String((Array.isArray(found) ? found[0] : undefined) ?? '') || undefined;
};
export const inDocuments: Judge = ({ name, password }) =>
  new Query({ name, password } as never).find<Row>(accounts).all()[0]?.name;
/** A small store of documents that knows a few operators, and breaks on others. */
export const inSmallStore: Judge = (fields) => {
  const fits = (value: string, wanted: unknown): boolean =>
    typeof wanted !== 'object' || wanted === null
      ? value === wanted
      : Object.entries(wanted).every(([operator, other]) => {
          if (operator === '$ne') return value !== other;
          if (operator === '$in') return (other as string[]).includes(value);
          throw new Error(`unknown operator ${operator}`);
        });
  return accounts.find(({ name, password }) => fits(name, fields.name) && fits(password, fields.password))?.name;
};
/** As PHP compares: texts that look like numbers are numbers, a list is nothing. */
export const loosely = (one: string, other: string): boolean =>
  /^0e\d+$/.test(one) && /^0e\d+$/.test(other) ? true : one === other;
