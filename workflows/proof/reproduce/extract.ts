import { escapePattern, firstMatch } from '../pattern.ts';
import { shellWord } from '../shell.ts';

/** What stands around a value in its line. Longer would be hard to read, and is likelier to change. */
const maxContextLength = 120;
const maxPlaces = 20;
/** Characters that are searched in all: each filter is tried on the whole text. */
const maxSearched = 1024 * 1024;

/** Where a value stands in a text. */
type ValueContext = { before: string; after: string; next: string };

/**
 * A filter for a shell, `sed …`, that reads a value out of a text like this one by what stands around it in its line.
 * @param pattern RE2 pattern that finds the value, by its first group; any place where it stands will do without it
 * @returns undefined when no simple one would read it
 */
export function filterFor(text: string, value: string, pattern?: string): string | undefined {
  if (value === '' || /[\r\n]/.test(value)) return undefined;
  const places = pattern === undefined ? placesOf(text, value) : placesOfMatch(text, value, pattern);
  const tried = new Set<string>();
  for (const place of places.flatMap((each) => [withoutTag(each) ?? [], each].flat())) {
    const key = JSON.stringify(place);
    if (tried.has(key)) continue;
    tried.add(key);
    const filter = filterAt(text, value, place);
    if (filter) return filter;
    if (tried.size * text.length >= maxSearched) return undefined;
  }
  return undefined;
}

function placesOfMatch(text: string, value: string, pattern: string): ValueContext[] {
  const match = firstMatch(pattern, text);
  if (!match || (match.groups[0] ?? match.text) !== value) return [];
  const at = match.text.lastIndexOf(value);
  const before = match.text.slice(0, at);
  const after = match.text.slice(at + value.length);
  const next = after[0] ?? text[text.indexOf(match.text) + match.text.length] ?? '';
  return [{ before: lastLine(before), after: firstLine(after), next }];
}

/** As a field of a form, a member of JSON or a parameter. */
function placesOf(text: string, value: string): ValueContext[] {
  const places: ValueContext[] = [];
  for (let at = text.indexOf(value); at !== -1 && places.length < maxPlaces; at = text.indexOf(value, at + 1)) {
    const line = lastLine(text.slice(Math.max(0, at - maxContextLength), at));
    const before = /(?:<[^<>]*[\s"']name=[^<>]*|"[\w-]+"\s*:\s*"?|[;\s][\w-]+=)$/.exec(line)?.[0];
    if (before !== undefined)
      places.push({ before: before.trimStart(), after: '', next: text[at + value.length] ?? '' });
  }
  return places;
}

/** "name=… value=" says as much as the whole element does. */
function withoutTag({ before, ...place }: ValueContext): ValueContext | undefined {
  const named = /^<[^<>]*?\s(name=[^<>]*)$/s.exec(before)?.[1];
  return named === undefined ? undefined : { ...place, before: named };
}

function filterAt(text: string, value: string, { before, after, next }: ValueContext): string | undefined {
  const ends = endOf(value, next);
  if (before === '' || before.length + after.length > maxContextLength || ends === undefined) return undefined;
  const pattern = `(?m)^.*${escapePattern(before)}([^${ends.re2}\\n]*)${escapePattern(after)}`;
  const match = firstMatch(pattern, text);
  if (match?.groups[0] !== value) return undefined;
  const script = `.*${posix(before)}([^${ends.posix}]*)${posix(after)}.*`;
  const mark = ['/', '|', '#', ',', '~'].find((each) => !script.includes(each));
  if (mark === undefined) return undefined;
  const program = shellWord(`s${mark}${script}${mark}\\1${mark}p`);
  return `sed -nE ${program} | head -n 1`;
}

/** The character that ends the value, for a bracket expression. */
function endOf(value: string, next: string): { posix: string; re2: string } | undefined {
  if (next === '' || /\s/.test(next)) return /\s/.test(value) ? undefined : { posix: '[:space:]', re2: '\\s' };
  return value.includes(next) ? undefined : { posix: next, re2: /[\w\s]/.test(next) ? next : `\\${next}` };
}

/** A text as a POSIX extended regular expression that matches it alone. */
const posix = (text: string): string => text.replace(/[\\.^$*+?(){|[]/g, '\\$&');

// A pattern for the end of a text is tried at each of its characters.
const lastLine = (text: string): string => text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? '';
