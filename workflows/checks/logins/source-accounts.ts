import { commonWordOf, isDigest } from './common-digests.ts';
import type { AccountPair } from './default-accounts.ts';
import { accountsInFile } from './shown-accounts.ts';

const maxTextLength = 256 * 1024;
/** Pairs of one file that are tried: each has a name of its own, so that no account is locked. */
const maxPairs = 4;
/** Assignments that stand between a name and its password. */
const maxDistance = 6;

/**
 * `isSetting`: a setting makes this account, as those of administrators are made; the others are rows among others. `digest` stands there
 * in the place of the password, which was guessed.
 */
export type SourceAccount = { pair: AccountPair; isSetting: boolean; digest?: string };

type AssignedText = { key: string; value: string };

const key = String.raw`["'\x60]?([A-Za-z_$][\w$.-]{0,60})["'\x60]?\]?\)?`;
const value = String.raw`([^"'\x60\n]{1,64})`;
/** Of code and settings: name = "value", "name": "value", define('NAME', 'value'); a comparison is one as well. */
const quoted = new RegExp(String.raw`${key}\s{0,5}(?:=>|={1,3}|:=|:|,)\s{0,5}["'\x60]${value}["'\x60]`, 'g');
/** A line of a file of settings. */
const line =
  /^[ \t]{0,20}(?:export[ \t]+|-[ \t]+)?([A-Za-z_][\w.-]{0,60})[ \t]{0,5}[:=][ \t]{0,5}([^\s"'`#(){}[\];,]{1,64})[ \t]*\r?$/gm;

const passwordKey =
  /^(.*?)[_.-]?(?:(?:pass(?:word|wd|phrase|code)?|pwd|pw|secret_?word)(?:[_.-]?(?:hash(?:ed)?|digest|md5|sha_?\d+))?|hash|digest)$/;
const nameKey = /^(.*?)[_.-]?(?:user(?:_?name)?|log_?in|e?_?mail(?:_?address)?|usr|account|name|uid)$/;
/** Of services behind the site: people use such a password again, and such a name seldom. */
const behindSite =
  /(?:^|[_.-])(?:db|database|mysql|maria|pg|postgres\w*|mongo\w*|redis|smtp|mail|ftp|ldap|rabbit\w*|amqp|sql)(?:$|[_.-])/;
const role = /(?:^|[_.-])(admin(?:istrator)?|root|staff|manager|operator|support|super_?user|demo|test|guest|user)$/;
const connection = /\b[a-z][a-z0-9+]{2,20}:\/\/([\w.+-]{1,40}):([^\s@/:"'`<>{}$]{3,64})@/g;
/** A table of names and passwords in code. */
const table =
  /(?:users?|accounts?|credentials|log_?ins?|passwords?|members|staff)\w{0,20}["']?\s{0,3}(?:=|:)\s{0,3}(?:(?:new Map\(|dict\()?\{([^{}]{4,800})\}|\[([^[\]]{4,800})\]|array\s?\(([^()]{4,800})\))/gi;
const entry = /["']([\w.@+-]{2,64})["']\s{0,3}(?::|=>)\s{0,3}["']([^"'\n]{3,64})["']/g;
/** What stands for a value that is elsewhere, and what no one can type: hashes. */
const noPassword =
  /^(?:\$|<|%|\{|process\.|os\.|env\b|getenv|config\.|settings\.|null|none|undefined|true|false|\*+|x{3,}|your[_-]|enter|required|[0-9a-f]{32,}|(?:pbkdf2|scrypt|bcrypt|argon2|sha\d+|md5)[:$])/i;
const noName = /^(?:post|get|text|password|string|none|null|true|false|localhost|utf-?8|\*|\/.*|.*[\s/\\].*)$/i;

const keyWords = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();

/**
 * Names and passwords that settings, source code and dumps of tables hold, the likeliest first: what belongs to the site itself
 * before what it uses. A password without a name is tried as that of the role that its key has, or of "admin".
 */
export function accountsInSource(content: string): SourceAccount[] {
  const text = content.slice(0, maxTextLength);
  const assigned = assignments(text);
  const rows: AccountPair[] = [...rowsOf(text), ...linesOf(text), ...tablesOf(text)];
  const own: AccountPair[] = [];
  const others: AccountPair[] = [];
  for (const [at, each] of assigned.entries()) {
    const prefix = passwordKey.exec(keyWords(each.key))?.[1];
    if (prefix === undefined || (noPassword.test(each.value) && !isDigest(each.value))) continue;
    const name = nameBeside(assigned, at, prefix);
    if (behindSite.test(prefix)) {
      others.push(['admin', each.value]);
      if (name !== undefined) others.push([name, each.value]);
    } else own.push([name ?? role.exec(prefix)?.[1] ?? 'admin', each.value]);
  }
  for (const [, name = '', word = ''] of text.matchAll(connection)) others.push(['admin', word], [name, word]);
  const found = [
    ...marked(rows, false),
    ...marked(own, true),
    ...marked(
      accountsInFile(text).map(({ pair }) => pair),
      false,
    ),
    ...marked(others, true),
  ]
    .flatMap(guessed)
    .filter(({ pair: [name, word] }) => !noName.test(name) && !noPassword.test(word) && !/["\\]/.test(word));
  // One password for each name.
  return [...new Map(found.toReversed().map((each) => [each.pair[0], each])).values()].toReversed().slice(0, maxPairs);
}

const marked = (pairs: readonly AccountPair[], isSetting: boolean): SourceAccount[] =>
  pairs.map((pair) => ({ pair, isSetting }));

/** What a digest was made of, where people choose that first. */
function guessed(account: SourceAccount): SourceAccount[] {
  const [name, digest] = account.pair;
  if (!isDigest(digest)) return [account];
  const word = commonWordOf(digest);
  return word === undefined ? [] : [{ ...account, pair: [name, word], digest }];
}

/** In the order of the text. */
function assignments(text: string): AssignedText[] {
  const found = [...text.matchAll(quoted), ...text.matchAll(line)];
  return found
    .toSorted((a, b) => a.index - b.index)
    .map(([, name = '', word = '']) => ({ key: name, value: word.trim() }));
}

/** The nearest name whose key differs from that of the password in nothing but its word. */
function nameBeside(assigned: readonly AssignedText[], at: number, prefix: string): string | undefined {
  const near = assigned
    .map((each, place) => ({ ...each, distance: Math.abs(place - at) }))
    .filter(({ distance }) => distance > 0 && distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance);
  const isOfPrefix = ({ key: other }: AssignedText) => nameKey.exec(keyWords(other))?.[1] === prefix;
  return near.find((each) => isOfPrefix(each) && !noName.test(each.value))?.value;
}

const tablesOf = (text: string): AccountPair[] =>
  [...text.matchAll(table)].flatMap(([, braces, brackets, array]) =>
    [...(braces ?? brackets ?? array ?? '').matchAll(entry)]
      .map(([, name = '', word = '']): AccountPair => [name, word])
      .filter(([name]) => !passwordKey.test(keyWords(name)) && !nameKey.test(keyWords(name))),
  );

const insert =
  /INSERT INTO\s+["'`[]?(\w{0,30}(?:user|account|member|admin|staff|login|customer|people)\w{0,30})["'`\]]?\s*(?:\(([^()]{1,600})\))?\s*VALUES\s*((?:\([^()]{1,600}\)[\s,]{0,5}){1,20})/gi;

/** Rows of a dump whose passwords are kept as they are. */
function rowsOf(text: string): AccountPair[] {
  return [...text.matchAll(insert)].flatMap(([, of = '', listed, rows = '']) => {
    const columns = listed?.split(',').map(bare) ?? columnsOf(text, of);
    const [name, word] = [columnAt(columns, nameKey), columnAt(columns, passwordKey)];
    if (name === -1 || word === -1) return [];
    return [...rows.matchAll(/\(([^()]+)\)/g)].flatMap(([, row = '']): AccountPair[] => {
      const cells = [...row.matchAll(/'((?:[^'\\]|''|\\.){0,200})'|([^,'\s]+)/g)].map(([, a, b]) => a ?? b ?? '');
      const [who, secret] = [cells[name], cells[word]];
      return who && secret ? [[who, secret]] : [];
    });
  });
}

const maxLines = 200;

/** Rows of a table in text, below the names of its columns. */
function linesOf(text: string): AccountPair[] {
  const [head = '', ...lines] = text.split(/\r?\n/, maxLines);
  const sign = [',', ';', '\t', '|'].find((each) => head.split(each).length > 1);
  if (sign === undefined) return [];
  const cellsOf = (line: string) => line.split(sign).map(bare);
  const columns = cellsOf(head);
  const [name, word] = [columnAt(columns, nameKey), columnAt(columns, passwordKey)];
  if (name === -1 || word === -1) return [];
  return lines.flatMap((line): AccountPair[] => {
    const cells = cellsOf(line);
    const [who, secret] = [cells[name], cells[word]];
    return cells.length === columns.length && who && secret ? [[who, secret]] : [];
  });
}

const bare = (name: string): string => name.replace(/["'`[\]\s]/g, '');
const columnAt = (columns: readonly string[], pattern: RegExp): number =>
  columns.findIndex((column) => pattern.test(keyWords(column)));

function columnsOf(text: string, of: string): string[] {
  const pattern = new RegExp(`CREATE TABLE\\s+(?:IF NOT EXISTS\\s+)?["'\`[]?${of}["'\`\\]]?\\s*\\(([^;]{1,3000})`, 'i');
  const body = pattern.exec(text)?.[1]?.replace(/\)[^()]{0,200}$/, '') ?? '';
  return body
    .split(/,(?![^(]*\))/)
    .map((column) => bare(column.trim().split(/\s/)[0] ?? ''))
    .filter((column) => !/^(?:primary|unique|key|constraint|index|foreign)$/i.test(column));
}
