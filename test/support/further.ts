/** By which `npm run test:long` asks test files for all that they have. */
export const furtherVariable = 'TEST_FURTHER';

const isAll = process.env[furtherVariable] === 'all';

/**
 * Rows of a table: in `npm test` those that stand for their kind, in `npm run test:long` all.
 * @throws Error when the table has no row of a name
 */
export function usualRows<T>(table: Readonly<Record<string, T>>, usual: readonly string[]): [name: string, row: T][] {
  const unknown = usual.filter((name) => !Object.hasOwn(table, name));
  if (unknown.length > 0) throw new Error(`The table has no row ${unknown.join(', ')}.`);
  return Object.entries(table).filter(([name]) => isAll || usual.includes(name));
}

/** Adds a test that `npm run test:long` runs, and `npm test` does not: it costs much, and another one of its kind is run with every change. */
export const further = <A extends unknown[]>(test: (...given: A) => void): ((...given: A) => void) =>
  isAll ? test : () => {};

/** The first rows of a table whose rows are alike; in `npm run test:long` all. */
export const firstRows = <T>(rows: readonly T[], usual: number): readonly T[] => (isAll ? rows : rows.slice(0, usual));

/** The first rows of each kind of a table, as found and clean; in `npm run test:long` all. */
export function firstOfKinds<T>(rows: readonly T[], kindOf: (row: T) => unknown, usual: number): readonly T[] {
  const kinds = Map.groupBy(rows, kindOf);
  return rows.filter((row) => firstRows(kinds.get(kindOf(row)) ?? [], usual).includes(row));
}
