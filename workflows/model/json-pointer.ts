import { parseJson } from './json.ts';
/**
 * JSON of the value at a pointer, undefined when there is none or the text is no JSON. Source: RFC 6901.
 * @param pointer "" is the whole, else "/name/0/…" with "~1" for "/" and "~0" for "~"
 */
export function jsonAt(text: string, pointer: string): string | undefined {
  let value: unknown = parseJson(text);
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return JSON.stringify(value);
}

/** A name as a part of a pointer. */
export const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
