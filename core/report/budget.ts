import type { Html } from '../../kit/html.ts';

/** A report is one file that mail systems and browsers take without complaint. */
export const maxReportBytes = 5 * 1024 * 1024;

/** Shares of the report; the rest is for the parts of fixed size. */
export const shares = {
  findingsBytes: 3.75 * 1024 * 1024,
  coverageBytes: 512 * 1024,
  permissionsBytes: 192 * 1024,
  writesBytes: 128 * 1024,
  siteMapBytes: 128 * 1024,
} as const;

/** Bytes that a section may still write. */
export class ByteBudget {
  #left: number;
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes the bytes of `markup`, or answers false and takes nothing. */
  take(markup: Html): boolean {
    const bytes = Buffer.byteLength(markup.text);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Renders items while they fit; says how many did not. */
export function fitting<T>(
  items: readonly T[],
  budget: ByteBudget,
  render: (item: T) => Html,
): { shown: Html[]; left: number } {
  const shown: Html[] = [];
  for (const item of items) {
    const markup = render(item);
    if (!budget.take(markup)) break;
    shown.push(markup);
  }
  return { shown, left: items.length - shown.length };
}
