import { readJson } from '../kit/json.ts';
import { shortened } from './issues.ts';

/**
 * A name that one object of a JSON text has twice, however it is spelled; shortened.
 * @param text valid JSON, so strings, brackets and commas are all that matters
 */
export function repeatedName(text: string): string | undefined {
  /** The names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const names = isNameNext ? open.at(-1) : undefined;
      if (names) {
        const name = String(readJson(text.slice(at, end + 1)));
        if (names.has(name)) return shortened(name);
        names.add(name);
      }
      isNameNext = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      isNameNext = character === '{';
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') isNameNext = true;
  }
  return undefined;
}

/** Index of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
