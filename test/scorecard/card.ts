/** What one check did on its cases. */
export type Row = {
  /** Its family, for instance "headers" or "deep/access". */
  family: string;
  check: string;
  cases: number;
  /** Cases whose weakness it reported. */
  found: number;
  /** Cases that it reported although they were mended. */
  false: number;
  requests: number;
  seconds: number;
  /** In words: what was missed, what was reported wrongly. */
  faults: string[];
};

/** A check is held against at least so many sites that are built differently. */
const fewestCases = 3;

const isMissing = ({ cases }: Row): boolean => cases < fewestCases;

/** All are found, none is false, none is missing. */
export const meetsTheBar = (rows: readonly Row[]): boolean =>
  rows.length > 0 && rows.every((row) => !isMissing(row) && row.found === row.cases && row.false === 0);

/** The rows by family, what was wrong under each, and the sums as the last line. */
export function cardText(rows: readonly Row[], seconds: number): string {
  const width = Math.max(...rows.map(({ check }) => check.length), 0);
  const families = [...Map.groupBy(rows, ({ family }) => family)];
  const lines = families.flatMap(([family, members]) => ['', family, ...members.flatMap((row) => linesOf(row, width))]);
  const missing = rows.filter(isMissing).length;
  if (missing > 0) lines.push('', `${missing} of ${rows.length} checks have fewer than ${fewestCases} cases.`);
  return [...lines, '', sumLine(rows, seconds)].join('\n').trimStart();
}

function linesOf(row: Row, width: number): string[] {
  const { check, cases, found, requests, seconds, faults } = row;
  const isWell = meetsTheBar([row]);
  const cells = [
    `${isWell ? '✓' : '✘'} ${check.padEnd(width)}`,
    `found ${found}/${cases}`,
    `false ${row.false}/${cases}`,
    `${requests} requests`.padStart(14),
    `${seconds.toFixed(1)} s`.padStart(8),
  ];
  if (isMissing(row)) cells.push(`missing: ${cases} of ${fewestCases} cases`);
  return [`  ${cells.join('  ')}`, ...faults.map((fault) => `      ${fault}`)];
}

function sumLine(rows: readonly Row[], seconds: number): string {
  const sum = (value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0);
  const cases = sum((row) => row.cases);
  const counts = [`found ${sum(({ found }) => found)} of ${cases}`, `false ${sum((row) => row.false)} of ${cases}`];
  return [...counts, `${sum(({ requests }) => requests)} requests`, `${seconds.toFixed(0)} s`].join(', ');
}
