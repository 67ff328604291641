import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { HeaderList } from '../model/http.ts';
import { isMasked, mask } from './mask.ts';
import { credentialPatterns, secretPatterns } from './secret-patterns.ts';
import { spellingsOf } from './secret-spellings.ts';

/** Takes secrets and personal data out of what is stored or shown. Redacting twice gives the same as once. */
export type Redactor = {
  /** A text of any kind: a body, a URL, a claim. */
  text(text: string): string;
  /** A header's value, by what the header is for. */
  header(name: string, value: string): string;
  /** Whether a secret that is known stands in the text. */
  holds(text: string): boolean;
};

/** A secret shorter than this would mask half of an ordinary page. */
const minSecretLength = 4;

/**
 * @param secrets values known to be secret: masked wherever they stand, also encoded
 * @param invented values that are no secrets, whatever stands before them
 * @param headers whose values are secret, whatever their length: short ones are masked where a page repeats them beside the name
 */
export function createRedactor(
  secrets: Iterable<string> = [],
  headers: HeaderList = [],
  invented: Iterable<string> = [],
): Redactor {
  const shown = new Set(invented);
  const isShown = (value: string | undefined): boolean =>
    value !== undefined && (shown.has(value) || shown.has(percentDecodedOrSame(value)));
  const known = patternsOf([...secrets, ...headers.map(([, value]) => value)]);
  const isGiven = (name: string, value: string) =>
    value !== '' && headers.some((header) => header[0].toLowerCase() === name.toLowerCase() && header[1] === value);
  const echoes = headers.filter(([, { length }]) => length > 0 && length < minSecretLength).map(echoOf);
  const maskKnown = (text: string) =>
    echoes.reduce(
      (masked, { pattern, value }) => masked.replace(pattern, (_whole, before: string) => before + mask(value)),
      known.reduce<string>((masked, secret) => masked.replaceAll(secret, mask), text),
    );
  const text = (input: string) =>
    secretPatterns.reduce(
      (masked, { pattern, replace }) =>
        masked.replace(pattern, (whole: string, ...groups: string[]) =>
          shown.size > 0 && (isShown(whole) || isShown(groups[1])) ? whole : replace(whole, ...groups),
        ),
      maskKnown(input),
    );
  return {
    text,
    header: (name, value) => (isGiven(name, value) ? mask(value) : redactHeader(name, maskKnown(value), text)),
    holds: (input) => known.some((secret) => isIn(secret, input)),
  };
}

/** Whether a text has something of the form of a key, a token or a password in it. */
export const looksSecret = (text: string): boolean =>
  credentialPatterns.some(({ pattern }) => text.search(pattern) !== -1);

/** Whether a header of this name and value lets somebody in. */
export const isSecretHeader = (name: string, value: string): boolean =>
  /^(?:set-)?cookie$/i.test(name) || secretHeader.test(name) || looksSecret(value);

/** A header as pages repeat it: behind its name, in CGI's spelling too, with at most marks, tags and "value" between. */
function echoOf([name, value]: HeaderList[number]) {
  const literal = (text: string) => text.replace(/[\\.^$*+?(){|[\]/-]/g, '\\$&');
  const words = name.split(/[-_]+/).map(literal).join('[-_ ]?');
  const between = '(?:<[^<>]{0,100}>|&[a-z0-9#]{2,6};|\\bvalue\\b|[^<&{}A-Za-z0-9])';
  return { pattern: new RegExp(`(${words}${between}{1,12}?)${literal(value)}(?![A-Za-z0-9])`, 'gi'), value };
}

/** Longest first, so that a secret that is part of another does not leave the rest of it. */
function patternsOf(secrets: Iterable<string>): (RegExp | string)[] {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= minSecretLength && !isMasked(secret));
  return known.sort((a, b) => b.length - a.length).map(spellingsOf);
}

const isIn = (secret: RegExp | string, text: string): boolean =>
  typeof secret === 'string' ? text.includes(secret) : text.search(secret) !== -1;

const secretHeader =
  /^(?:(?:proxy-)?authorization|authentication|x-.*(?:token|key|secret|auth|session|password).*|.*(?:api-?key|csrf|xsrf|token).*)$/i;

function redactHeader(name: string, value: string, text: (value: string) => string): string {
  const lower = name.toLowerCase();
  if (isTemplate(value)) return value;
  if (lower === 'set-cookie') return redactPair(value);
  if (lower === 'cookie') return value.split(';').map(redactPair).join(';');
  if (!secretHeader.test(lower)) return text(value);
  const [, scheme = '', rest = value] = /^([A-Za-z][\w-]{0,30} +)(\S.*)$/.exec(value) ?? [];
  return isMasked(value) ? value : scheme + mask(rest);
}

/** "name=value; attributes" with the value masked; one without "=" is a value. */
function redactPair(pair: string): string {
  const [, name = '', value = '', rest = ''] = /^([^=;]*=)?([^;]*)(.*)$/s.exec(pair) ?? [];
  const trimmed = value.trim();
  if (trimmed === '' || isMasked(value) || isTemplate(trimmed)) return pair;
  return name + mask(trimmed) + rest;
}

/** A reference to a trial's value is no secret, and a proof cannot be run again without it. */
const isTemplate = (value: string): boolean => /^(?:[A-Za-z]+ )?‹[^›]*›$/.test(value);

export const redactHeaders = (headers: HeaderList, redactor: Redactor): [string, string][] =>
  headers.map(([name, value]) => [name, redactor.header(name, value)]);
