import { printfFormat, shellWord } from '../shell.ts';
import { framedCommand, isFramedText } from './framed-command.ts';
import { isMessageText, messageCommand } from './message-command.ts';
import { type CommandText, isReference, literalOf, wordOf } from './text.ts';

/** An HTTP request, of which parts are only known to the reader's shell. */
export type RequestText = {
  method: string;
  url: CommandText;
  headers: readonly (readonly [name: string, value: CommandText])[];
  body?: CommandText;
  /** Fields of a form with several parts (RFC 7578), instead of a body. */
  parts?: readonly (readonly [name: string, value: CommandText])[];
};

/** What becomes of the answer: `show` prints it with its head, `drop` keeps nothing of it, `body` and `head` go into a pipe. */
export type ShownOutput = 'show' | 'drop' | 'body' | 'head';

/** What it takes to be answered at all. */
export type Reach = {
  /** The certificate is not trusted: curl needs an option to go on. */
  insecure: boolean;
  /** Sent with every request, unless it has one of that name itself. */
  scopeHeaders?: RequestText['headers'];
};

export type RequestOptions = Reach & {
  output: ShownOutput;
  /** Words that attach a session. */
  session?: readonly string[];
  follow?: boolean;
  /** An error answer was the right one. */
  mayFail?: boolean;
  /** The version of HTTP that matters here; what curl and the server agree on by default. */
  httpVersion?: '1.1' | '2' | undefined;
};

const urlencoded = 'application/x-www-form-urlencoded';

/** A command line that sends this request: curl's, wherever curl can say it. */
export function requestCommand(request: RequestText, options: RequestOptions): string {
  if (isFramedText(request)) return framedCommand(request, options.scopeHeaders);
  if (isMessageText(request)) return messageCommand(request, options);
  const { method, url, headers, body, parts } = request;
  const words = ['curl', ...outputWords(method, options)];
  if (options.insecure) words.push('-k');
  if (options.follow) words.push('-L');
  if (options.httpVersion) words.push(`--http${options.httpVersion}`);
  const literal = literalOf(url);
  if (/\/\.{1,2}(?:[/?#]|$)/.test(literal)) words.push('--path-as-is');
  if (/[[\]{}]/.test(literal)) words.push('-g');
  if (needsMethod(method, body ?? parts)) words.push('-X', shellWord(method));
  words.push(...(options.session ?? []));
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const [name, value] of options.scopeHeaders ?? [])
    if (!own.has(name.toLowerCase())) words.push('-H', wordOf(headerLine(name, value)));
  for (const [name, value] of headers)
    if (!isImplied(name, value, body)) words.push('-H', wordOf(headerLine(name, value)));
  for (const [name, value] of parts ?? []) words.push('--form-string', wordOf([`${name}=`, ...value]));
  if (body === undefined) return [...words, ...addressWords(url)].join(' ');
  // curl would add a type that the proof's request did not have.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', "'Content-Type:'");
  return withBody(words, body, wordOf(url), isForm(headers));
}

/** -f lets nothing of an error answer pass, and says so: what comes after it in a script would be of no use. */
function outputWords(method: string, { output, mayFail }: RequestOptions): string[] {
  if (output === 'show') return ['-sS', method === 'HEAD' ? '-I' : '-i'];
  const quiet = mayFail ? '-sS' : '-fsS';
  if (output === 'drop') return [quiet, '-o', '/dev/null'];
  return output === 'head' ? [quiet, '-o', '/dev/null', '-D', '-'] : [quiet];
}

/** curl encodes what only the shell knows of a query, when it is given as data. */
function addressWords(url: CommandText): string[] {
  const isEncoded = url.some((part) => isReference(part) && part.as === 'encoded');
  const at = url.findIndex((part) => !isReference(part) && part.includes('?'));
  const part = url[at];
  if (!isEncoded || part === undefined || isReference(part)) return [wordOf(url)];
  const mark = part.indexOf('?');
  const query = [part.slice(mark + 1), ...url.slice(at + 1)].filter((piece) => piece !== '');
  return ['-G', ...fieldWords(query), wordOf([...url.slice(0, at), part.slice(0, mark)])];
}

/** curl leaves out a header that ends at its colon, and sends an empty one that ends with a semicolon. */
const headerLine = (name: string, value: CommandText): CommandText =>
  value.length === 0 ? [`${name};`] : [`${name}: `, ...value];

const needsMethod = (method: string, body: unknown): boolean =>
  method !== 'HEAD' && method !== (body === undefined ? 'GET' : 'POST');

/** What curl sends with every body that it is given. */
const isImplied = (name: string, value: CommandText, body: CommandText | undefined): boolean =>
  body !== undefined && isContentType(name) && literalOf(value) === urlencoded;

const isForm = (headers: RequestText['headers']): boolean =>
  headers.some(([name, value]) => isContentType(name) && literalOf(value).startsWith(urlencoded));

const isContentType = (name: string): boolean => name.toLowerCase() === 'content-type';

/** A body that no argument can hold comes from printf. */
function withBody(words: string[], body: CommandText, url: string, isUrlencoded: boolean): string {
  if (body.some(isReference)) {
    const data = isUrlencoded ? fieldWords(body) : ['--data-raw', wordOf(body)];
    return [...words, ...data, url].join(' ');
  }
  const literal = literalOf(body);
  if (!/\p{Cc}/u.test(literal)) return [...words, '--data-raw', shellWord(literal), url].join(' ');
  return `printf ${shellWord(printfFormat(literal))} | ${[...words, '--data-binary', '@-', url].join(' ')}`;
}

/** curl encodes what only the shell knows; names and the fields around it stay as they were sent. */
function fieldWords(body: CommandText): string[] {
  const words: string[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) words.push('--data-raw', shellWord(plain.join('&')));
    plain = [];
  };
  for (const field of fieldsOf(body)) {
    const [name = '', value, ...rest] = field;
    const isValue = typeof name === 'string' && /^[^=]*=$/.test(name) && rest.length === 0;
    if (!field.some(isReference)) plain.push(literalOf(field));
    else {
      flush();
      const isEncoded = isValue && value !== undefined && isReference(value) && value.as === 'encoded';
      if (isEncoded) words.push('--data-urlencode', wordOf([name, { ...value, as: undefined }]));
      else words.push('--data-raw', wordOf(field));
    }
  }
  flush();
  return words;
}

function fieldsOf(body: CommandText): CommandText[] {
  const fields: CommandText[number][][] = [[]];
  for (const part of body) {
    if (isReference(part)) fields.at(-1)?.push(part);
    else {
      const [first = '', ...others] = part.split('&');
      if (first !== '') fields.at(-1)?.push(first);
      for (const other of others) fields.push(other === '' ? [] : [other]);
    }
  }
  return fields;
}
