/** One line of the bench: ours beside a peer or a baseline of the same run. */
export type Row = {
  what: string;
  ours: string;
  beside: string;
  ratio: number;
  aim: Aim;
};

/** @property missedBy how much a figure falls short, in its own unit; undefined when the aim is met */
type Aim = { text: string; missedBy(ratio: number): string | undefined };

export const atLeast = (limit: number): Aim => ({
  text: `≥ ${limit} ×`,
  missedBy: (ratio) => (ratio >= limit ? undefined : `${(limit - ratio).toFixed(2)} ×`),
});

export const atMost = (limit: number): Aim => ({
  text: `≤ ${limit} ×`,
  missedBy: (ratio) => (ratio <= limit ? undefined : `${(ratio - limit).toFixed(2)} ×`),
});

/** Of a figure that stands for itself, whatever is beside it. */
export const within = (text: string, value: number, limit: number, unit: string): Aim => ({
  text,
  missedBy: () => (value <= limit ? undefined : `${fixed(value - limit)} ${unit}`),
});

export const fixed = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** The rows as a Markdown table. */
export const table = (rows: readonly Row[]): string =>
  markdown(
    ['what', 'ours', 'beside it', 'ratio', 'aim', ''],
    rows.map(({ what, ours, beside, ratio, aim }) => {
      const missedBy = aim.missedBy(ratio);
      return [what, ours, beside, `${ratio.toFixed(2)} ×`, aim.text, missedBy ? `missed by ${missedBy}` : 'met'];
    }),
  );

export const markdown = (header: readonly string[], lines: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
