const maxLines = 10;
const maxLineLength = 400;

/** Keeps the last lines of a log. @returns takes the next piece, and returns the lines so far */
export function lastLines(): { add(piece: string): void; lines(): string[] } {
  let lines: string[] = [];
  let rest = '';
  const cut = (line: string) => line.slice(0, maxLineLength);
  return {
    add(piece) {
      const parts = (rest + piece).split('\n');
      rest = cut(parts.pop() ?? '');
      lines = [...lines, ...parts.filter((line) => line.trim() !== '').map(cut)].slice(-maxLines);
    },
    lines: () => (rest.trim() === '' ? lines : [...lines, rest]).slice(-maxLines),
  };
}
