/** What this program writes to: standard output or standard error. */
export type Stream = { write(data: string | Uint8Array): unknown; isTTY?: boolean; columns?: number };

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Style = keyof typeof codes;

/** Text of a line, and how it looks where colours are shown. */
type StyledPart = string | { style: Style; text: string };

export const styled = (style: Style, text: string): StyledPart => ({ style, text });

/**
 * Text as a terminal and a pipeline's log show it: what would move the cursor, colour, turn the direction of writing, or
 * hide is written as an escape. Much of what is shown comes from audited hosts, which are hostile.
 */
export function printable(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  // GitHub's runner takes this for a command wherever in a line it stands.
  return escaped.replaceAll('##[', '# #[');
}

/** Writes lines to a stream. Everything in them is neutralised, newlines included. */
export class Printer {
  readonly stream: Stream;
  readonly #hasColours: boolean;

  constructor(stream: Stream, hasColours: boolean) {
    this.stream = stream;
    this.#hasColours = hasColours;
  }

  get width(): number {
    return Math.max(40, Math.min(this.stream.columns ?? 100, 120));
  }

  line(...parts: StyledPart[]): void {
    this.stream.write(`${this.render(parts)}\n`);
  }

  render(parts: readonly StyledPart[]): string {
    const plain = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
    // A line that begins so is a command to GitHub's runner.
    const guard = /^\s*::/.test(plain) ? '> ' : '';
    return guard + parts.map((part) => this.#paint(part)).join('');
  }

  #paint(part: StyledPart): string {
    if (typeof part === 'string') return printable(part);
    const text = printable(part.text);
    return this.#hasColours ? `\u001b[${codes[part.style]}m${text}\u001b[0m` : text;
  }
}

/** Text in lines of at most `width` characters, broken at spaces. Words that are longer stay whole. */
export function wrap(text: string, width: number): string[] {
  return text
    .split(/\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .flatMap((paragraph) => {
      const lines: string[] = [];
      for (const word of paragraph.trim().split(/\s+/)) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines;
    });
}

/** Rows under headings, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
