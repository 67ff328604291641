import type { GateRequest } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { isFreeText, isTyped } from '../../model/typed-text.ts';
import { isNumberedName, normaliseRoute, normaliseSegment } from '../routes.ts';
import { kindOfForm } from './structure.ts';
import { decoded, tokensOf } from './words/spelling.ts';

/** A request that works on an entry of the site, by what names that entry. */
export type SiteEntry = {
  /** Method and route. */
  place: string;
  /** What names it, as "name=value". Segments of a path have their number for a name. */
  names: string[];
  /** Names of the fields that name it, or would: of what is new they are empty. */
  idFields: string[];
  /** Names of all that is sent with it, "&" between them. */
  fields: string;
  /** The entry is there, and the page or the request gives its texts back, or its address says that it is changed. */
  isShown: boolean;
  texts: string[];
};

type NamedText = readonly [name: string, value: string];
type EntryField = Pick<FormSurface['fields'][number], 'name' | 'type' | 'value'>;

const identifierNames =
  /^_?(?:id|uuid|guid|pk|key)$|[_-](?:id|uuid|guid)$|[a-z](?:Id|ID|Uuid|UUID)$|^(?:[a-z]|user|member|post|topic|thread|message|msg|comment|article|page|item|product|news|event|file|group|board|task|note)id$/;
/** Members whose texts people write. */
const writtenNames =
  /(?:name|title|subject|text|body|content|comment|message|note|description|summary|bio|label|street|city|place)s?$/i;
const route = /^\/?[a-z][\w.-]*(?:\/[\w.-]+)+\/?$/i;
const changing =
  /^(?:edit|update|modify|change|rename|bearbeiten|andern|aendern|modifier|editar|modificar|modifica|bewerken|wijzigen|redigera|rediger)$/;
const typedTypes = /^(?:text|textarea|email|url|tel|search)$/;
const maxMembers = 100;

/** Whether a field or member says by its name which entry is meant, and by its value that it names one. */
export const namesEntry = (name: string, value: string): boolean =>
  identifierNames.test(name.replace(/^.*[.[]|\]$/gs, '')) && normaliseSegment(value) === '{id}';

/** The entry that a form of a page works on; undefined where it names none, looks things up, or has nothing to fill in. */
export function entryOfForm(form: FormSurface): SiteEntry | undefined {
  const { method, fields } = form;
  if (method !== 'POST') return undefined;
  const visible = fields.filter(({ type }) => type !== 'hidden' && type !== 'submit' && type !== 'image');
  const typed = visible.filter(({ type, name, value }) => typedTypes.test(type) && !namesEntry(name, value));
  const given = typed.filter(
    ({ value }) => value.trim() !== '' && !isTyped(value) && normaliseSegment(value) !== '{id}',
  );
  if (visible.length === 0) return undefined;
  return entryOf(form, { given, isShown: 2 * given.length > typed.length || changesEntry(form.action) });
}

/** Whether an address says that it changes the entry that it names; asked for without values, it may show an empty form, or empty the entry. */
export function changesEntry(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  const isChanging = (text: string) => {
    const tokens = tokensOf(decoded(text));
    return [tokens[0], tokens.at(-1)].some((token) => token !== undefined && changing.test(token));
  };
  return namesInUrl(url).length > 0 && [...pathname.split('/'), ...searchParams.values()].some(isChanging);
}

const isChoice = ({ type }: EntryField): boolean => /^(?:select|radio|checkbox)$/.test(type);

const isIdField = ({ name, type, value }: EntryField): boolean =>
  namesEntry(name, value) || (type === 'hidden' && value === '' && namesEntry(name, '1'));

/**
 * The entry that a request of a script works on, by the values that it was sent with: as the rows of a table do that can be edited, it
 * may give back texts that the entry has. What a field in place is filled with before its text has come is no text of the entry.
 */
export function entryOfRequest(form: FormSurface): SiteEntry | undefined {
  const texts = form.fields.filter(
    ({ name, value }) =>
      value !== '' && isFreeText(value) && !namesEntry(name, value) && normaliseSegment(value) !== '{id}',
  );
  const given = texts.filter(
    ({ name, value }) => !isTyped(value) && (/\p{Lu}|\s/u.test(value) || writtenNames.test(name)),
  );
  if (texts.length === 0) return undefined;
  const isGivenBack = given.length > 0 && 2 * given.length >= texts.length;
  return entryOf(form, { given, isShown: isGivenBack || changesEntry(form.action) });
}

function entryOf(
  form: FormSurface,
  { given, isShown }: { given: readonly EntryField[]; isShown: boolean },
): SiteEntry | undefined {
  const fixed = form.fields.filter((field) => !isChoice(field));
  const named = fixed.filter(({ name, value }) => namesEntry(name, value));
  const names = [...namesInUrl(form.action), ...named.map(({ name, value }) => `${lastName(name)}=${value}`)];
  const idFields = fixed.filter(isIdField).map(({ name }) => lastName(name));
  if (names.length + idFields.length === 0 || ['reads', 'login', 'entrance'].includes(kindOfForm(form).kind))
    return undefined;
  const fields = form.fields.map(({ name }) => lastName(name)).filter((name) => name !== '');
  return {
    place: placeOfEntry(form.method, form.action),
    names,
    idFields,
    fields: [...new Set(fields)].sort().join('&'),
    isShown,
    texts: given.map(({ value }) => value),
  };
}

export const placeOfEntry = (method: string, url: string): string =>
  `${method} ${normaliseRoute(new URL(url).pathname)}`;

/** What a request names an entry by, and all that is in its body. */
export function namesInRequest({ url, headers, body }: GateRequest): { names: string[]; pairs: NamedText[] } {
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  const pairs = pairsIn(type, text);
  const named = pairs.filter(([name, value]) => namesEntry(name, value)).map((pair) => pair.join('='));
  return { names: [...namesInUrl(url), ...named], pairs };
}

function namesInUrl(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  // "?rest_route=/posts/7" and "?r=post/update/7" name a thing as paths do.
  const routes = [...searchParams].filter(([, value]) => route.test(value));
  const segments = [['', pathname] as const, ...routes].flatMap(([name, path]) =>
    path.split('/').map((segment, index): NamedText => [`${name}/${index}`, segment]),
  );
  const query = [...searchParams].filter(([name, value]) => namesEntry(name, value));
  const named = segments.filter(([, segment]) => normaliseSegment(segment) === '{id}' && !isNumberedName(segment));
  return [...named, ...query].map((pair) => pair.join('='));
}

function pairsIn(type: string, text: string): NamedText[] {
  if (text === '') return [];
  if (/\bjson\b/.test(type)) return membersOf(text);
  if (type.startsWith('multipart/'))
    return [...text.matchAll(/\bname="([^"\r\n]*)"\r\n\r\n([^\r\n]{0,200})\r\n/g)].map(
      ([, name = '', value = '']): NamedText => [name, value],
    );
  return [...new URLSearchParams(text)];
}

/** Of an object and of the objects in it. */
function membersOf(text: string): NamedText[] {
  try {
    const pairsOf = (value: unknown, depth: number): NamedText[] =>
      Object.entries(Object(value) as Record<string, unknown>)
        .slice(0, maxMembers)
        .flatMap(([name, member]): NamedText[] =>
          typeof member === 'object' && depth < 2 ? pairsOf(member, depth + 1) : [[name, String(member)]],
        );
    return pairsOf(parseJson(text), 0);
  } catch {
    return [];
  }
}

const lastName = (name: string): string => name.replace(/^.*\./s, '');

/** Requests that scripts of pages send, as the forms that would send the same; each once. */
export function scriptedRequests(inputs: readonly InputSurface[], forms: readonly FormSurface[]): FormSurface[] {
  const requests = new Map<string, FormSurface>();
  for (const input of inputs) {
    const { method, url, in: place, parameter, page, json, xml, contentType = '', sample, others } = input;
    const isOfForm = forms.some(
      (form) => form.method === 'POST' && form.action === url && form.fields.some(({ name }) => name === parameter),
    );
    if (method !== 'POST' || place !== 'body' || page === undefined || xml || isOfForm) continue;
    const pairs = json ? membersOf(json.body) : [[parameter, sample] as const, ...others.map(pairOf)];
    const fields = pairs.map(([name, value]) => ({ name, type: 'text', value }));
    const key = JSON.stringify([url, pairs.toSorted()]);
    if (!requests.has(key))
      requests.set(key, { pageUrl: page.url, action: url, method: 'POST', enctype: contentType, fields });
  }
  return [...requests.values()];
}

const pairOf = ({ name, value }: { name: string; value: string }): NamedText => [name, value];
