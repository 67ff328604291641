import { shellWord } from '../shell.ts';

/** A value that the reader's shell holds, and how it is spelled where it stands. */
export type Reference = {
  /** Name of a shell variable. */
  variable: string;
  as?: 'encoded' | 'json' | undefined;
};

/** A text of which parts are only known to the reader's shell. */
export type CommandText = readonly (string | Reference)[];

export const isReference = (part: string | Reference): part is Reference => typeof part !== 'string';

/** What is known of the text. */
export const literalOf = (text: CommandText): string => text.filter((part) => !isReference(part)).join('');

/** Splits a text at a value, which is put in by reference. */
export function replaced(text: CommandText, value: string, reference: Reference): CommandText {
  if (value === '') return text;
  return text.flatMap((part) => {
    if (isReference(part)) return [part];
    const [first = '', ...others] = part.split(value);
    return [first, ...others.flatMap((other) => [reference, other])].filter((piece) => piece !== '');
  });
}

/** One word of a command line for any POSIX shell. */
export function wordOf(text: CommandText): string {
  if (!text.some(isReference)) return shellWord(literalOf(text));
  // Quotes, what the shell expands in them, and what it takes from its history.
  const isPlain = text.every((part) => isReference(part) || /^[^"\\$`!\p{Cc}]*$/u.test(part));
  if (isPlain) return `"${text.map((part) => (isReference(part) ? expressionOf(part) : part)).join('')}"`;
  return text.map((part) => (isReference(part) ? `"${expressionOf(part)}"` : shellWord(part))).join('');
}

/**
 * Stands in double quotes. A shell that finds the variable unset or empty says so instead of going on. Braces keep it
 * apart from what follows, and from what redaction takes for a secret.
 */
export function expressionOf({ variable, as }: Reference): string {
  const value = `\${${variable}:?}`;
  return as === undefined ? value : `$(printf %s "${value}" | sed '${spellings[as]}')`;
}

const spellings = {
  /** What ends a value in a query, or stands for something else there (RFC 3986 §2.2). */
  encoded: 's/%/%25/g; s/+/%2B/g; s/&/%26/g; s/=/%3D/g; s/#/%23/g; s/ /%20/g',
  /** RFC 8259 §7. */
  json: 's/["\\\\]/\\\\&/g',
};

/** A shell variable's name: ("JAR", "shop admin") → "JAR_SHOP_ADMIN". */
export const variableName = (...words: string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');

/** A comment of which no shell can make anything else, those that take "#" for a command included. */
export const comment = (text: string): string =>
  `# ${text
    .replaceAll(';', ',')
    .replace(/[^\p{L}\p{N} ,.:/_’-]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()}`;
