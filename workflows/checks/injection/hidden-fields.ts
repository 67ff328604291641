import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { textOf } from '../../probe/html/text.ts';
import { isElement, isNamed, nodesOf } from '../../probe/html/tree.ts';

/** @property isPersonal it opens no account, and is for its owner and the site alone */
export type HiddenField = { path: readonly string[]; isPersonal: boolean };

/** What a list says of the fields of its entries. */
export type ShownFields = {
  /** Names, in lower case and without signs between their words. */
  names: ReadonlySet<string>;
  /** Names of texts, as they are written. */
  texts: readonly string[];
  /** Names of things that entries belong to. */
  relations: readonly string[];
  /** Of tables, any of which may be such a thing. */
  headings: readonly string[];
  /** How words of a name are put together, as far as that shows. */
  spelling: 'snake' | 'camel' | 'any';
  showsMail: boolean;
  /** It is JSON. */
  isData: boolean;
};

/** As frameworks and their guides name what no list shows; what resets a password is left out, since its names are those of commands. */
const credentials = [
  ['password'],
  ['password', 'hash'],
  ['hashed', 'password'],
  ['password', 'digest'],
  ['encrypted', 'password'],
  ['token'],
  ['api', 'key'],
  ['auth', 'token'],
  ['api', 'token'],
  ['secret'],
  ['hash'],
  ['key'],
];
const ofRelations = [['password'], ['password', 'hash'], ['token'], ['api', 'key']];
const personal = [['email']];
const people = ['user', 'author', 'owner'];
const maxRelations = 7;

/** Fields that a list does not show and that may be there, credentials first. @param offered names by which the site itself lets visitors filter */
export function hiddenFields(shown: ShownFields, offered: ReadonlySet<string>): HiddenField[] {
  const isHidden = (name: string): boolean => !shown.names.has(plain(name)) && !offered.has(plain(name));
  const spelled = (fields: readonly string[][]): string[] =>
    [...new Set(fields.flatMap((words) => spellings(words, shown.spelling)))].filter(isHidden);
  const relations = [...new Set([...shown.relations, ...people, ...shown.headings])].slice(0, maxRelations);
  const below = (fields: readonly string[][]): string[][] =>
    relations.flatMap((relation) => spelled(fields).map((field) => [relation, field]));
  const own = (fields: readonly string[][]): string[][] => spelled(fields).map((field) => [field]);
  const mail = shown.showsMail ? [] : personal;
  return [
    ...[...own(credentials), ...below(ofRelations)].map((path) => ({ path, isPersonal: false })),
    ...[...own(mail), ...below(mail)].map((path) => ({ path, isPersonal: true })),
  ];
}

function spellings(words: readonly string[], spelling: ShownFields['spelling']): string[] {
  const snake = words.join('_');
  const [first = '', ...others] = words;
  const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return spelling === 'any' ? [snake, camel] : [spelling === 'snake' ? snake : camel];
}

export const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const mailAddress = /[\w.+-]@[\w-]+\.\w/;
const maxNames = 200;
const fieldName = /^[a-z][\w]{0,40}$/i;

/** Members of JSON, or headings of tables. @throws ProbeError `too_large` */
export function shownFields({ text }: Exchange): ShownFields {
  const root = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const isData = root !== undefined;
  return { ...(isData ? ofMembers(root) : ofTables(text)), showsMail: mailAddress.test(text), isData };
}

function ofMembers(root: unknown): Omit<ShownFields, 'showsMail' | 'isData'> {
  const members = new Map<string, 'text' | 'relation' | 'other'>();
  const work: unknown[] = [root];
  for (let at = work.shift(); at !== undefined && members.size < maxNames; at = work.shift()) {
    if (typeof at !== 'object' || at === null) continue;
    const isEntry = !Array.isArray(at) && at !== root;
    for (const [name, value] of Object.entries(at)) {
      if (isEntry && fieldName.test(name)) members.set(name, kindOf(name, value));
      if (typeof value === 'object' && value !== null) work.push(value);
    }
  }
  const names = [...members.keys()];
  const of = (kind: string) => names.filter((name) => members.get(name) === kind);
  return {
    names: new Set(names.map(plain)),
    texts: of('text'),
    relations: of('relation').map((name) => name.replace(/(?:_id|Id)$/, '')),
    headings: [],
    spelling: spellingOf(names),
  };
}

function kindOf(name: string, value: unknown): 'text' | 'relation' | 'other' {
  if (/[a-z](?:_id|Id)$/.test(name)) return 'relation';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'other' : 'relation';
  return typeof value === 'string' && !/^\d{4}-\d\d-\d\d|^[\da-f]{8}-[\da-f-]{27}$/i.test(value) ? 'text' : 'other';
}

function ofTables(html: string): Omit<ShownFields, 'showsMail' | 'isData'> {
  const headings: string[] = [];
  for (const node of nodesOf(html))
    if (isElement(node) && isNamed(node, 'th') && headings.length < maxNames)
      headings.push(textOf(node).trim().toLowerCase().replace(/\s+/g, '_'));
  const names = headings.filter((name) => fieldName.test(name));
  return {
    names: new Set(names.map(plain)),
    texts: names,
    relations: names.filter(isPerson),
    headings: names,
    spelling: 'any',
  };
}

const isPerson = (name: string): boolean =>
  /^(?:user|author|owner|member|customer|employee|creator|seller)$/.test(name);

const spellingOf = (names: readonly string[]): ShownFields['spelling'] =>
  names.some((name) => /[a-z]_[a-z]/.test(name))
    ? 'snake'
    : names.some((name) => /[a-z][A-Z]/.test(name))
      ? 'camel'
      : 'any';
