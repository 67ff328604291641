import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { comparisonsFor } from '../../../../workflows/checks/injection/sql-comparisons.ts';

const test = suite('comparisons behind a value');

const bag = (text: string) => text.split(/([^\w])/).toSorted();

for (const value of ['lamp', '7', '19.50', '1,2,7'])
  test(`the true and the false one behind ${value} have the same words and signs`, () => {
    for (const { whenTrue, whenFalse } of comparisonsFor(value))
      assert.equal(bag(whenTrue('1234')), bag(whenFalse('1234')));
  });

/** As applications filter that are afraid of SQL. */
const filtered = (value: string): string => value.replace(/\b(?:union|select|and|or)\b|--|\s/gi, '');

/** Statements in which a value stands, by how that is called. */
const statements: [where: string, value: string, statement: (value: string) => string][] = [
  ['a quoted text', 'lamp', (value) => `SELECT 1 FROM t WHERE name = '${value}'`],
  ['a quoted text with wildcards', 'am', (value) => `SELECT 1 FROM t WHERE (name LIKE '%${value}%' OR id < 0)`],
  ['a quoted text in parentheses', 'lamp', (value) => `SELECT 1 FROM t WHERE name = lower('${value}')`],
  [
    'a quoted text with wildcards in parentheses',
    'am',
    (value) => `SELECT 1 FROM t WHERE name LIKE lower('%${value}%')`,
  ],
  ['a text in double quotes', 'lamp', (value) => `SELECT 1 FROM t WHERE name = "${value}"`],
  ['a text in double quotes with wildcards', 'am', (value) => `SELECT 1 FROM t WHERE name LIKE "%${value}%"`],
  ['a quoted text, behind a filter', 'lamp', (value) => `SELECT 1 FROM t WHERE name = '${filtered(value)}'`],
  [
    'a quoted text, behind a filter',
    'am',
    (value) => `SELECT 1 FROM t WHERE (lower(replace(name, '-', '')) LIKE lower('%${filtered(value)}%'))`,
  ],
  ['a number of an expression', '7', (value) => `SELECT 1 FROM t WHERE (id = ${filtered(value)})`],
  ['a number', '7', (value) => `SELECT 1 FROM t WHERE id = ${value} ORDER BY name`],
  ['a number in parentheses', '7', (value) => `SELECT 1 FROM t WHERE id IN (${value})`],
  ['a number of an expression', '7', (value) => `SELECT 1 FROM t WHERE id = ${value} + 0`],
  ['a number in parentheses', '7', (value) => `SELECT 1 FROM t WHERE id = abs(${value})`],
  ['a quoted text, behind a filter', '7', (value) => `SELECT 1 FROM t WHERE id = '${filtered(value)}'`],
  ['the name of a column', 'id', (value) => `SELECT 1 FROM t WHERE ${filtered(value)} = 7`],
  ['the name of a table', 't', (value) => `SELECT DISTINCT 1 FROM ${value}`],
  ['a number of rows (LIMIT)', '1', (value) => `SELECT 1 FROM t ORDER BY id LIMIT ${value}`],
  ['a number', '1700000000123', (value) => `SELECT 1 FROM t WHERE created = ${value}`],
  ['a number', '19.50', (value) => `SELECT 1 FROM t WHERE price <= ${value}`],
  ['a number of an expression', '1', (value) => `SELECT 1 FROM t ORDER BY id LIMIT ${value}`],
  ['a list of numbers in parentheses', '1,2,7', (value) => `SELECT 1 FROM t WHERE id IN (${value})`],
];

for (const [where, value, statement] of statements) {
  test(`a database answers the comparison behind ${value} for ${where} as it is, and refuses the broken one`, () => {
    const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
    try {
      database.exec(
        "CREATE TABLE t (id INTEGER, name TEXT, price REAL, created INTEGER); INSERT INTO t VALUES (7, 'lamp', 19.5, 1700000000123), (8, 'table', 90, 0)",
      );
      const comparison = comparisonsFor(value).find((each) => each.where === where);
      assert.ok(comparison);
      const rows = (given = '') => database.prepare(statement(given)).all().length;
      assert.equal([rows(comparison?.whenTrue('1234')), rows(comparison?.whenFalse('1234'))], [1, 0]);
      assert.throws(() => rows(comparison?.broken('1234')), /syntax error/);
    } finally {
      database.close();
    }
  });
}

test.run();
