import type { HttpAction } from '../../model/experiment.ts';
import { bodyOfMessages } from '../../model/socket-messages.ts';
import type { InputSurface } from '../../model/surface.ts';
import { encodedFor } from './encoded-inputs.ts';
import { encodeTemplate, inputUrl } from './input-url.ts';
import { documentOf, documentWithValue } from './json-inputs.ts';
import type { PageOpening } from './opening.ts';

/** An input whose page was looked at: what that gives anew is known by name. */
export type OpenedInput = InputSurface & { opening?: PageOpening };

type NamedValue = { name: string; value: string };

/** No text of ours has it. RFC 7578 §4.1. */
const boundary = 'form-7d2b41c9e0';

/** The request that sends a value, a template perhaps, in the place of an input's own. A space is always `%20`. */
export function inputAction(input: OpenedInput, value: string): HttpAction {
  const { encoded, inFile } = input;
  if (inFile) return uploadAction(input, { ...inFile, content: value });
  if (encoded) {
    const sent = encodedFor({ ...input, encoded }, value);
    return inputAction(sent.input, sent.value);
  }
  switch (input.in) {
    case 'query':
    case 'path':
      return { url: inputUrl(input, encodeTemplate(value)) };
    case 'header':
      return withHeader(
        input,
        input.renamed ? [headerName(value), inHeader(input.renamed.value)] : [input.parameter, inHeader(value)],
      );
    case 'cookie':
      return withHeader(input, ['Cookie', `${input.parameter}=${inCookie(input, value)}`]);
    case 'body':
      return bodyAction(input, value);
  }
}

/** A header goes with the whole request that a page sends it with. */
function withHeader(input: OpenedInput, header: [string, string]): HttpAction {
  const action = input.method === 'GET' ? { url: input.url } : bodyAction(input, '');
  // A page's address gives way to the one that is tried, and a session's cookies go along with it.
  const others = (action.headers ?? []).filter(([name]) => name !== 'Referer' || header[0] !== name);
  return { ...action, headers: [...others, header] };
}

const inCookie = ({ isDecoded }: OpenedInput, value: string): string =>
  isDecoded ? encodeTemplate(value) : inHeader(value).replaceAll(';', '%3B');

function bodyAction(input: OpenedInput, value: string): HttpAction {
  const { url, contentType = '', page, opening } = input;
  const pairs = pairsOf(input, value);
  const [type, body] = contentType.startsWith('application/json')
    ? ['application/json', documentBody(input, value) ?? flatJson(pairs)]
    : input.xml || input.text
      ? [contentType, documentBody(input, value) ?? '']
      : contentType.startsWith('multipart/form-data')
        ? [`multipart/form-data; boundary=${boundary}`, multipart(pairs.map((pair) => withFile(input, pair)))]
        : ['application/x-www-form-urlencoded', urlencoded(pairs)];
  // Protection against forged requests looks at where a request comes from.
  const from: [string, string][] = page
    ? [
        ['Origin', new URL(page.url).origin],
        ['Referer', page.url],
      ]
    : [];
  return {
    method: input.method,
    url,
    headers: [['content-type', type], ...from, ...(page?.headers ?? []), ...(opening?.headers ?? [])],
    body: input.before ? bodyOfMessages([...input.before, body]) : body,
  };
}

/** All fields of a form with this value among them; those that its page fills in anew are references to what was captured. */
export function pairsOf(
  { others, parameter, opening, renamed, isRepeated, ...input }: OpenedInput,
  value: string,
): NamedValue[] {
  const isField = input.in === 'body';
  const known = others.filter(({ name }) => name !== '' && !(isField && name === (renamed?.field ?? parameter)));
  const filled = known.map((each) => ({ ...each, value: opening?.fields[each.name] ?? each.value }));
  if (!isField) return filled;
  const own = renamed ? { name: value, value: renamed.value } : { name: parameter, value };
  return isRepeated ? [...filled, own, own] : [...filled, own];
}

const documentBody = (input: OpenedInput, value: string): string | undefined => {
  const document = documentOf(input);
  return document !== undefined && input.in === 'body' ? documentWithValue(input, value) : document;
};

const urlencoded = (pairs: readonly NamedValue[]): string =>
  pairs
    .map(
      ({ name, value }) => `${encodeTemplate(name)}=${encodeTemplate(value).replace(/‹(token\d+)›/g, '‹encode:$1›')}`,
    )
    .join('&');

/** A file as a form sends it; its name and content may be templates. */
export type UploadedFile = { name: string; type: string; content: string };

/** The request that sends a file in the place of an input's value. */
export function uploadAction(input: OpenedInput, file: UploadedFile): HttpAction {
  const pairs = pairsOf(input, file.content).map((pair) => (pair.name === input.parameter ? { ...pair, file } : pair));
  return { ...bodyAction({ ...input, contentType: 'multipart/form-data' }, ''), body: multipart(pairs) };
}

const withFile = ({ file }: OpenedInput, pair: NamedValue): NamedValue & { file?: UploadedFile } =>
  file?.field === pair.name
    ? { name: pair.name, value: file.content, file: { ...file, name: `${pair.value}.${file.ending}` } }
    : pair;

const multipart = (pairs: readonly (NamedValue & { file?: UploadedFile })[]): string =>
  pairs
    .map(({ name, value, file }) => {
      const reported = file ? `; filename="${quoted(file.name)}"\r\nContent-Type: ${file.type}` : '';
      return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${reported}\r\n\r\n${value}\r\n`;
    })
    .join('')
    .concat(`--${boundary}--\r\n`);

/** As browsers write names. Source: HTML Standard §4.10.22.7. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const flatJson = (pairs: readonly NamedValue[]): string =>
  JSON.stringify(Object.fromEntries(pairs.map(({ name, value }) => [name, value])));

/** What no name of a header can have is percent-encoded, as programs that work with such names decode them. RFC 9110 §5.6.2. */
const headerName = (value: string): string =>
  value
    .split(/(‹[^‹›]*›)/)
    .map((part) =>
      part.startsWith('‹')
        ? part
        : part.replace(/[^\w!#$&'*+.^`|~-]/gu, (char) =>
            [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
          ),
    )
    .join('');

/** Only what a field of a header can hold stays as it is. RFC 9110 §5.5. */
const inHeader = (value: string): string =>
  value.replace(/[^\x20-\x7e‹›]+/gu, (part) => encodeURIComponent(part.toWellFormed()));
