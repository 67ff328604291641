/**
 * `npm run scorecard [-- part-of-an-id …]` runs every check on its cases in test/scorecard/cases: sites that have its
 * weakness, built differently, and each of them mended. Exits 1 unless all are found, none is reported when mended, and
 * no check lacks cases.
 */
import { cardText, meetsTheBar } from './card.ts';
import { score } from './score.ts';

const startedAt = performance.now();
const rows = await score({
  checks: new URL('../../workflows/', import.meta.url),
  cases: new URL('./cases/', import.meta.url),
  filters: process.argv.slice(2),
  timeoutMs: 240_000,
  width: 2,
});
console.log(cardText(rows, (performance.now() - startedAt) / 1000));
process.exitCode = meetsTheBar(rows) ? 0 : 1;
