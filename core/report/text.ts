import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { type Html, html, type Part } from '../../kit/html.ts';

/** At most `max` characters; what is cut away is said. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)} … (${text.length - max} more characters)`;
}

/** The beginning of a text, cut between words: for lists and headings, where the whole stands elsewhere. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > max / 2 ? end : cut.length).replace(/[\s,;:(]+$/, '')}…`;
}

/** What a link of a chain gives, in words: "session(admin)" is "a session as admin". */
export function givenText(gives: string): string {
  const [, kind, of] = /^(session|read)\((.*)\)$/s.exec(gives) ?? [];
  if (kind === 'session') return `a session as ${of}`;
  return kind === 'read' ? `reading ${of}` : gives.replaceAll('-', ' ');
}

/** "1 place", "2 places". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** Paragraphs of plain text: an empty line starts a new one, `backticks` mark code. */
export function prose(text: string, max = 6_000): Html[] {
  return clip(text, max)
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${withCode(paragraph)}</p>`);
}

/** Text in which `backticks` mark code. */
export function withCode(text: string): Part[] {
  return text.split('`').map((piece, index, pieces) => {
    const isCode = index % 2 === 1 && index < pieces.length - 1;
    if (isCode) return html`<code>${piece}</code>`;
    return index % 2 === 1 ? `\`${piece}` : piece;
  });
}

/** The first sentence of a text. Code between backticks ends none. */
export const firstSentence = (text: string): string =>
  /^(?:`[^`]*`|[^`])*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();

/** A time in UTC to the second, readable by people and machines. */
export function time(when: Date | Timestamp | undefined): Html {
  const date = when instanceof Date || when === undefined ? when : timestampDate(when);
  if (date === undefined || Number.isNaN(date.getTime())) return html`<span>not recorded</span>`;
  const iso = date.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** "2 min 5 s" between two times; undefined when one is missing. */
export function duration(from: Timestamp | undefined, to: Timestamp | undefined): string | undefined {
  if (!from || !to) return undefined;
  const seconds = Math.max(0, Math.round((timestampDate(to).getTime() - timestampDate(from).getTime()) / 1_000));
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.join(' ') || 'under a second';
}
