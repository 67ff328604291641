import { counted, filled, MiB } from './row.ts';

/** Texts that make patterns and collections work: much of one thing, nearly what is looked for, never what ends it. */
export const hostileTexts: Record<string, () => string> = {
  'white space': () => `x${filled(' \t', MiB)}x`,
  'one letter': () => filled('a', MiB),
  'signs of equality': () => filled('=', MiB),
  'words with dots': () => filled('a.', MiB),
  'words with hyphens': () => `@${filled('a-', MiB)}`,
  'beginnings of tokens': () => filled('eyJ', MiB),
  'opening quotes': () => filled('"/a', MiB),
  'beginnings of tags': () => filled('<meta class=', MiB),
  'names of functions': () => filled('queryparam', MiB),
  'names that announce a secret': () => filled('password_token_secret-', MiB),
  'beginnings of keys': () => filled('-----BEGIN PRIVATE KEY-----\nMII', MiB),
  'line separators': () => `${filled(' #', MiB)}\u2028x`,
  'words of script': () => filled('x=JSON.parse(location.search).a;', MiB),
  'different quoted texts': () => counted((index) => `<"text${index.toString(36)}">`, MiB),
  'entities and text': () => counted((index) => `<p>&lt;text ${index}</p>`, MiB),
};

/** JSON that takes many times its text. */
export const hostileJson: Record<string, () => string> = {
  'empty lists': () => `[${filled('[],', MiB)}[]]`,
  'empty objects': () => `[${filled('{},', MiB)}{}]`,
  'objects of one member, each another': () => `[${counted((index) => `{"m${index}":1},`, MiB)}{}]`,
  'one object of very many members': () => `{${counted((index) => `"m${index}":"v${index}",`, MiB)}"z":1}`,
  numbers: () => `[${filled('1,', MiB)}1]`,
  'lists in lists': () => `${filled('[', MiB / 2)}${filled(']', MiB / 2)}`,
  'lists in lists without an end': () => filled('[', MiB),
  'objects in objects': () => `${filled('{"a":', MiB)}1${filled('}', MiB / 5)}`,
  'long names in each other': () => `${`{"${'n'.repeat(500)}":`.repeat(1_900)}1${'}'.repeat(1_900)}`,
  'texts of identifiers': () => `[${counted((index) => `{"id":"u${index}","email":"a${index}@b.example"},`, MiB)}{}]`,
};

/** What PHP has serialized, of more parts than a value has. */
export const hostilePhp: Record<string, () => string> = {
  'arrays in arrays': () => `${'a:1:{i:0;'.repeat(80_000)}i:1;${'}'.repeat(80_000)}`,
  'an array of very many numbers': () => `a:9999:{${filled('i:0;i:1;', MiB)}}`,
};
