import { parseJson } from '../../model/json.ts';
import { isElement, nodesOf } from '../../probe/html/tree.ts';
import { personalNames, privateNames, sensitiveName, servedName } from './private-names.ts';
import { isCardNumber, isMailText, isPasswordHash, isUnguessableKey } from './private-values.ts';
import { isXml, recordsInXml } from './xml-records.ts';

/** Kinds of what nobody else should be given of people, and how they are called. */
export const privateKinds = {
  hash: 'password hashes',
  password: 'passwords',
  key: 'keys or tokens',
  card: 'card numbers',
  identity: 'identity numbers',
  personal: 'health or income data, or dates of birth, telephone numbers and addresses of people served',
  login: 'login names with mail addresses',
} as const;
export type PrivateKind = keyof typeof privateKinds;

const kinds: readonly PrivateKind[] = ['hash', 'password', 'key', 'card', 'identity', 'personal', 'login'];

type PersonRecord = Record<string, unknown>;

/** Who a record is about. */
const identityName =
  /^(?:e-?mail(?:[_-]?address)?|user[_-]?name|login|user|holder|card[_-]?holder|customer|full[_-]?name)$/i;
const loginName = /^(?:user[_-]?name|login|user|nick(?:name)?)$/i;

/**
 * Private data of people in an answer of JSON or XML, or password hashes in the tables of a page: how many people there is some of, by kind.
 * People are distinguished by their names or mail addresses, and their values differ.
 * @throws ProbeError `too_large`
 */
export function privateData(text: string): ReadonlyMap<PrivateKind, number> {
  const isDocument = isXml(text);
  const isPage = !isDocument && /^\s*</.test(text);
  const records = isDocument
    ? [...recordsInXml(text)]
    : isPage
      ? [...recordsInTables(text)]
      : [...recordsInJson(parseJson(text))];
  const found = new Map<PrivateKind, number>();
  for (const kind of isPage ? kinds.slice(0, 1) : kinds) {
    const people = peopleWith(records, kind);
    if (people > 0) found.set(kind, people);
  }
  return found;
}

/** One line for each kind that is there, for instance "password hashes of 3 people"; undefined when there is none. */
export function privateDataLines(text: string): string | undefined {
  const lines = Array.from(
    privateData(text),
    ([kind, people]) => `${privateKinds[kind]} of ${people} ${people === 1 ? 'person' : 'people'}`,
  );
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** Expression for the line of a kind of which there are values of so many people at least: 1 or 2. */
export const privateLinePattern = (kind: PrivateKind, min: number): string =>
  min === 1 ? `(?m)^${privateKinds[kind]} of \\d+ p` : `(?m)^${privateKinds[kind]} of (?:[2-9]|\\d\\d+) people$`;

/** People of whom a value of the kind is there that no other one has. */
function peopleWith(records: readonly PersonRecord[], kind: PrivateKind): number {
  const values = new Map<string, string>();
  for (const record of records) {
    const who = identityOf(record) ?? (kind === 'personal' || kind === 'hash' ? nameIn(record) : undefined);
    const value = who === undefined ? undefined : valueFor(record, kind);
    if (who !== undefined && value !== undefined && !values.has(value)) values.set(value, who);
  }
  return new Set(values.values()).size;
}

function identityOf(record: PersonRecord): string | undefined {
  const members = Object.entries(record).filter(([, value]) => typeof value === 'string' && value !== '');
  const [, who] =
    members.find(([name]) => identityName.test(name)) ?? members.find(([, value]) => isMailText(value)) ?? [];
  return typeof who === 'string' ? who.toLowerCase() : undefined;
}

function valueFor(record: PersonRecord, kind: PrivateKind): string | undefined {
  const members = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  if (kind === 'login') {
    const [, login] = members.find(([name]) => loginName.test(name)) ?? [];
    const [, mail] = members.find(([, value]) => isMailText(value)) ?? [];
    return login !== undefined && mail !== undefined && login !== mail ? mail : undefined;
  }
  if (kind === 'personal') return personalValue(members);
  return members.find(([name, value]) => isOfKind[kind](name, value))?.[1];
}

/** People are called so where accounts and things are, too; of these, accounts alone have the hash of a password. */
const personName =
  /^(?:name|(?:first|last|sur|family)[_-]?name|patient|employee|client|recipient|tenant)(?:[_-]?name)?$/i;
const nameIn = (record: PersonRecord): string | undefined => {
  const [, who] =
    Object.entries(record).find(([name, value]) => personName.test(name) && typeof value === 'string') ?? [];
  return typeof who === 'string' && who !== '' ? who.toLowerCase() : undefined;
};

const streetWithNumber = /^(?=.*\p{L}{3})(?=.*\d)(?=.* ).{6,}$/u;

/** Health or income; a date of birth with a way to reach somebody at home; that way for whom a business serves. */
function personalValue(members: readonly [string, string][]): string | undefined {
  const shown = members.filter(([, value]) => value !== '' && !masked.test(value));
  const under = (pattern: RegExp) => shown.find(([name]) => pattern.test(name))?.[1];
  const [birth, home] = [
    under(personalNames.birth),
    shown.find(([name, value]) => personalNames.home.test(name) && streetWithNumber.test(value))?.[1],
  ];
  const reach = shown.find(
    ([name, value]) => personalNames.reach.test(name) && /^\+?[\d ()/.-]{7,24}$/.test(value),
  )?.[1];
  const isServed = under(servedName) !== undefined;
  return under(sensitiveName) ?? (birth !== undefined || isServed ? (reach ?? home) : undefined);
}

/** What stands for a value that is masked. */
const masked =
  /^(?:[*•·.#x_-]+|\[?<?(?:redacted|hidden|masked|filtered|protected|removed|secret|null|none|undefined|n\/?a)>?\]?)$/i;

const isOfKind: Record<Exclude<PrivateKind, 'login' | 'personal'>, (name: string, value: string) => boolean> = {
  hash: (name, value) =>
    isPasswordHash(value) ||
    ((privateNames.password.test(name) || privateNames.hash.test(name)) &&
      /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(value)),
  password: (name, value) =>
    privateNames.password.test(name) &&
    /^\S{4,100}$/.test(value) &&
    !masked.test(value) &&
    !isPasswordHash(value) &&
    !/^(?:[0-9a-f]{2}){16,64}$/i.test(value),
  key: (name, value) =>
    (privateNames.key.test(name) && isUnguessableKey(value)) ||
    (privateNames.code.test(name) && /^(?=.*\d)[\w-]{4,40}$/.test(value)),
  card: (name, value) => privateNames.card.test(name) && isCardNumber(value),
  identity: (name, value) => privateNames.identity.test(name) && /^(?=(?:.*\d){6})[\w .-]{7,40}$/.test(value),
};

/** Objects of JSON, in their order. */
function* recordsInJson(json: unknown): Generator<PersonRecord> {
  if (isDescription(json)) return;
  const queue: unknown[] = [json];
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) yield { ...value };
    for (const member of Object.values(value)) queue.push(member);
  }
}

/** Of an interface or of data: what stands there are examples. */
const isDescription = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  ['openapi', 'swagger', '$schema', 'asyncapi'].some((name) => name in json);

/** Rows of tables by the heads of their columns. */
function* recordsInTables(html: string): Generator<PersonRecord> {
  let heads: string[] = [];
  for (const node of nodesOf(html)) {
    if (!isElement(node)) continue;
    if (node.tagName === 'table') heads = [];
    if (node.tagName !== 'tr') continue;
    const row = node.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'td' || tagName === 'th');
    const texts = row.map((cell) => textIn(cell));
    if (row.length > 0 && row.every(({ tagName }) => tagName === 'th')) heads = texts;
    // Heads are written for people: "Password hash".
    else
      yield Object.fromEntries(
        texts.map((text, index) => [heads[index]?.replaceAll(' ', '_') || `column ${index}`, text]),
      );
  }
}

type Cell = { childNodes: readonly object[] };

/** Text of a cell, or of what it shows in bold and the like. */
const textIn = (cell: Cell): string => cell.childNodes.map(textOf).join('').trim();

function textOf(node: object): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  if (!('childNodes' in node) || !Array.isArray(node.childNodes)) return '';
  const below: unknown[] = node.childNodes;
  return below
    .map((each) => (typeof each === 'object' && each !== null && 'value' in each ? String(each.value) : ''))
    .join('');
}
