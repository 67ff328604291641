import type { TlsRequest, TlsVersion } from '../probe/types.ts';
import type { Action, HttpAction } from './experiment.ts';
import { type Placeholder, printfFormat, shellWord } from './shell.ts';

export type CommandOptions = {
  /** The certificate is not trusted: tell curl to go on. */
  insecure: boolean;
  /** Identity whose session has to be attached. */
  identity?: string;
  /** Headers of that session: how many lines the reader has to put in. */
  sessionHeaderCount?: number;
  secrets?: readonly Placeholder[];
};

/** One command line that shows what the step shows, in any POSIX shell. What is secret is a variable for the reader to set. */
export function commandFor(action: Action, options: CommandOptions): string {
  if ('tls' in action) return tlsCommand(action.tls);
  if ('dns' in action) return `dig +short ${shellWord(action.dns.type)} ${shellWord(action.dns.name)}`;
  return curl('http' in action ? action.http : { url: action.browser.url }, options);
}

/** -v prints the handshake and the certificate; -k lets the answer through when that is what is wrong. */
function tlsCommand({ host, port, serverName, minVersion, maxVersion }: Omit<TlsRequest, 'timeoutMs'>): string {
  const name = serverName || host;
  const connect = name === host ? [] : ['--connect-to', shellWord(`${name}:${port}:${host}:${port}`)];
  const range = minVersion || maxVersion ? versionWords(minVersion, maxVersion) : [];
  const url = shellWord(`https://${bracketed(name)}:${port}/`);
  return ['curl', '-svk', '-o', '/dev/null', ...range, ...connect, url].join(' ');
}

/** curl begins at 1.2 unless told otherwise, and distributions switch older versions off above level 0 of OpenSSL. */
function versionWords(oldest: TlsVersion = 'TLSv1', newest?: TlsVersion): string[] {
  const most = newest === undefined ? [] : ['--tls-max', number(newest), '--ciphers', 'DEFAULT@SECLEVEL=0'];
  return [`--tlsv${number(oldest)}`, ...most];
}

/** "TLSv1" is 1.0. */
const number = (version: TlsVersion): string => (version === 'TLSv1' ? '1.0' : version.slice('TLSv'.length));

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

function curl(action: HttpAction, options: CommandOptions): string {
  const { method = 'GET', url, headers = [], body } = action;
  const placeholders = options.secrets ?? [];
  const words = ['curl', '-sS', method === 'HEAD' ? '-I' : '-i'];
  if (options.insecure) words.push('-k');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(url)) words.push('--path-as-is');
  if (/[[\]{}]/.test(url)) words.push('-g');
  if (needsMethod(method, body)) words.push('-X', shellWord(method));
  for (const word of sessionWords(options)) words.push('-H', word);
  for (const [name, value] of headers) words.push('-H', shellWord(headerLine(name, value), placeholders));
  if (body === undefined) return [...words, shellWord(url, placeholders)].join(' ');
  // curl would add a type that the proof's request did not have.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', "'Content-Type:'");
  return withBody(words, body, shellWord(url, placeholders), placeholders);
}

/** curl leaves out a header that ends at its colon, and sends an empty one that ends with a semicolon. */
const headerLine = (name: string, value: string): string => (value === '' ? `${name};` : `${name}: ${value}`);

const needsMethod = (method: string, body: string | undefined): boolean =>
  method !== 'HEAD' && method !== (body === undefined ? 'GET' : 'POST');

/** A body that no argument can hold comes from printf. Bodies with secrets are arguments, since printf would not see the variable. */
function withBody(words: string[], body: string, url: string, placeholders: readonly Placeholder[]): string {
  const hasSecret = placeholders.some(({ value }) => body.includes(value));
  if (hasSecret || !/\p{Cc}/u.test(body)) return [...words, '--data-raw', shellWord(body, placeholders), url].join(' ');
  return `printf ${shellWord(printfFormat(body))} | ${[...words, '--data-binary', '@-', url].join(' ')}`;
}

/** `-H "$SESSION_A"`: the variable holds a whole header line, so that cookies and bearer tokens look alike. */
function sessionWords({ identity, sessionHeaderCount = 1 }: CommandOptions): string[] {
  if (!identity) return [];
  const variable = variableName('SESSION', identity);
  return Array.from(
    { length: sessionHeaderCount },
    (_, index) => `"$${variable}${index === 0 ? '' : `_${index + 1}`}"`,
  );
}

/** A shell variable's name: ("SESSION", "shop admin") → "SESSION_SHOP_ADMIN". */
export const variableName = (prefix: string, name: string): string =>
  `${prefix}_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
