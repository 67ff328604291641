/** A file's parser is given this many inputs with every change, and all there are by `npm run test:long`. */
const usual = 2;

/** Of rows in order, those that reach a file which fewer than `usual` before them reach. */
export function firstOfEach<R extends { covers: readonly string[] }>(rows: readonly R[]): R[] {
  const times = new Map<string, number>();
  return rows.filter(({ covers }) => {
    const isUsual = covers.some((file) => (times.get(file) ?? 0) < usual);
    if (isUsual) for (const file of covers) times.set(file, (times.get(file) ?? 0) + 1);
    return isUsual;
  });
}
