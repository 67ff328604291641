/** uvu's closing lines of a file. */
type Totals = { total: number; passed: number; skipped: number; durationMs: number };

/** Those of each file whose tests have ended, in order. */
export function allTotals(output: string): Totals[] {
  const lines = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)(?:\n {2}Duration: +([\d.]+)ms)?$/gm;
  return [...withoutColours(output).matchAll(lines)].map(([, total, passed, skipped, ms]) => ({
    total: Number(total),
    passed: Number(passed),
    skipped: Number(skipped),
    durationMs: Number(ms ?? 0),
  }));
}

/** Those of the last one; undefined when there are none. */
export const readTotals = (output: string): Totals | undefined => allTotals(output).at(-1);

function withoutColours(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}
