import { destroyingVerbs } from './words/english.ts';
import { explainingNouns, explainingStarts, readingNouns } from './words/harmless.ts';

const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'u');

const reading = whole(readingNouns);
const explains = whole(explainingNouns);
const explainingStart = whole(explainingStarts);
const destroying = whole(destroyingVerbs);

/** Longer names are headlines. */
const maxCommandWords = 3;

/** What pages are about, and what a site may have many of: reviews, courses, a history. */
export const isSubject = (token: string): boolean => reading.test(token) && !explains.test(token);

/** "order-history" and "how-to-delete" are pages about something. "clear-history" and "Delete review" do it: nobody writes about that. */
export function describes(tokens: readonly string[]): boolean {
  const [first = ''] = tokens;
  const last = tokens.at(-1) ?? '';
  const isDone = tokens.length <= maxCommandWords && destroying.test(first) && isSubject(last);
  return explainingStart.test(first) || (reading.test(last) && !isDone);
}
