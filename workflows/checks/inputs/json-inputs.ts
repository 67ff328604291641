import { graphQlWith } from '../../model/graphql-literals.ts';
import { parseJson } from '../../model/json.ts';
import type { InputSurface, JsonPlace } from '../../model/surface.ts';
import { xmlWith } from '../../model/xml-texts.ts';

/** The whole document that an input is a part of; undefined where it has none. */
export const documentOf = ({ json, xml, text }: DocumentInput): string | undefined =>
  json?.body ?? xml?.body ?? text?.body;

type DocumentInput = Pick<InputSurface, 'json' | 'xml' | 'text'>;

/** A document with a value in an input's place in it. */
export function documentWithValue(
  { json, xml, text }: DocumentInput,
  value: string,
  body = json?.body ?? xml?.body ?? text?.body ?? '',
): string {
  if (text) return `${text.prefix ?? ''}${value}`;
  if (json) return jsonWith({ ...json, body }, value);
  return xml ? xmlWith({ ...xml, body }, value) : body;
}

/**
 * The JSON with a value in its place. A place of a number takes a number as such: what checks types refuses all else, and that is no
 * finding. A template is text.
 */
export function jsonWith({ body, pointer, literal }: JsonPlace, value: string): string {
  const root = parseJson(body);
  const names = pointer.split('/').slice(1).map(nameOf);
  const last = names.pop();
  const holder = names.reduce<unknown>((at, name) => (isHolder(at) ? Reflect.get(at, name) : undefined), root);
  if (last === undefined || !isHolder(holder)) return body;
  if (literal !== undefined) {
    Reflect.set(holder, last, graphQlWith(String(Reflect.get(holder, last)), literal, value));
    return JSON.stringify(root);
  }
  const isNumber = typeof Reflect.get(holder, last) === 'number' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value);
  Reflect.set(holder, last, isNumber ? Number(value) : value);
  return JSON.stringify(root);
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

const nameOf = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
