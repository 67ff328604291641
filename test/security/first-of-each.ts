/** Of rows in order, those that reach a file which none before them reaches: what `npm test` measures; `npm run test:long` measures all. */
export function firstOfEach<R extends { covers: readonly string[] }>(rows: readonly R[]): R[] {
  const reached = new Set<string>();
  return rows.filter(({ covers }) => {
    const isUsual = covers.some((file) => !reached.has(file));
    for (const file of covers) reached.add(file);
    return isUsual;
  });
}
