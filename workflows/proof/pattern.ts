import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Characters of a subject that a pattern looks at: as many as the instruments keep of a body. */
const maxInputLength = 2 * 1024 * 1024;

export type Match = { text: string; groups: (string | undefined)[] };

/**
 * First match of an RE2 pattern (https://github.com/google/re2/wiki/Syntax) in a text of the target.
 * Time grows linearly with the input, whatever the pattern: no back-references, no look-around.
 * @throws Error when the pattern is not valid
 */
export function firstMatch(pattern: string, input: string): Match | undefined {
  const matcher = compiled(pattern).matcher(input.slice(0, maxInputLength));
  if (!matcher.find()) return undefined;
  const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? undefined);
  return { text: matcher.group() ?? '', groups };
}

/** Checks ask for the same again and again, and reading a pattern takes longer than looking at a short answer. */
const known = new LRUCache<string, RE2JS>({ max: 1_000 });

function compiled(pattern: string): RE2JS {
  const program = known.get(pattern) ?? RE2JS.compile(pattern);
  known.set(pattern, program);
  return program;
}

/** A text as a pattern that matches it alone. */
export const escapePattern = (text: string): string => RE2JS.quote(text);
