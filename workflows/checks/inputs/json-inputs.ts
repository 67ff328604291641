import { parseJson } from '../../model/json.ts';

/** JSON of a request's body, and a place in it (RFC 6901). */
type JsonPlace = { body: string; pointer: string };

/**
 * The JSON with a value in its place. A place of a number takes a number as such: what checks types refuses all else, and that is no
 * finding. A template is text.
 */
export function jsonWith({ body, pointer }: JsonPlace, value: string): string {
  const root = parseJson(body);
  const names = pointer.split('/').slice(1).map(nameOf);
  const last = names.pop();
  const holder = names.reduce<unknown>((at, name) => (isHolder(at) ? Reflect.get(at, name) : undefined), root);
  if (last === undefined || !isHolder(holder)) return body;
  const isNumber = typeof Reflect.get(holder, last) === 'number' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value);
  Reflect.set(holder, last, isNumber ? Number(value) : value);
  return JSON.stringify(root);
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

const nameOf = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
