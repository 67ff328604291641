import { createHash } from 'node:crypto';

/** Tokens, numbers of requests and the like, which a page has anew each time. */
const wordLike = /[\w+/=%-]{8,}/g;

/**
 * A hash of what a page says besides words that are made anew with each answer: a site that shows one page whatever is asked for
 * shows it with another token each time.
 */
export function textHash(text: string): string {
  const plain = text.replace(wordLike, (word) => (/\d/.test(word) ? '' : word));
  return createHash('sha256').update(plain).digest('base64');
}
