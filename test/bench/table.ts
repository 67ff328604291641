/** One line of the bench: ours beside a peer or a baseline of the same run. */
export type Row = {
  what: string;
  ours: string;
  beside: string;
  ratio: number;
  aim: { text: string; isMet(ratio: number): boolean };
};

export const atLeast = (limit: number): Row['aim'] => ({ text: `≥ ${limit} ×`, isMet: (ratio) => ratio >= limit });
export const atMost = (limit: number): Row['aim'] => ({ text: `≤ ${limit} ×`, isMet: (ratio) => ratio <= limit });
export const fixed = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, ours, beside, ratio, aim }) => [
    what,
    ours,
    beside,
    `${ratio.toFixed(2)} ×`,
    aim.text,
    aim.isMet(ratio) ? 'met' : 'missed',
  ]);
  const header = ['what', 'ours', 'beside it', 'ratio', 'aim', ''];
  return [header, header.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
