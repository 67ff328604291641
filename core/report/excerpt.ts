import { type Html, html, type Part } from '../../kit/html.ts';
import { clip } from './text.ts';

const mostMarks = 50;
const mostPlaces = 200;
const maxExcerptCharacters = 8_000;

type TextRange = { start: number; end: number };

/** An excerpt of an answer with the parts that decide in `mark` elements. */
export function markedExcerpt(excerpt: string, marks: readonly string[]): Html {
  const text = clip(excerpt, maxExcerptCharacters);
  const parts: Part[] = [];
  let position = 0;
  for (const { start, end } of united(placesOf(text, marks))) {
    parts.push(text.slice(position, start), html`<mark>${text.slice(start, end)}</mark>`);
    position = end;
  }
  parts.push(text.slice(position));
  return html`${parts}`;
}

function placesOf(text: string, marks: readonly string[]): TextRange[] {
  const places: TextRange[] = [];
  for (const mark of marks.slice(0, mostMarks)) {
    if (mark === '') continue;
    for (let start = text.indexOf(mark); start >= 0; start = text.indexOf(mark, start + mark.length)) {
      places.push({ start, end: start + mark.length });
      if (places.length >= mostPlaces) return places;
    }
  }
  return places;
}

/** Ranges in order, overlapping ones joined. */
function united(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}
