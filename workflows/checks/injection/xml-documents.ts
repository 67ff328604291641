import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { CallSurface, InputSurface, Surface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { inBase64, inEncodedBase64 } from '../../proof/template.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';

/** Names of values that are XML, or a format that is made of it. */
const xmlNames = /xml|soap|rss|atom|feed|svg|xsl|saml|wsdl|dtd|kml|gpx|opml|sitemap|envelope/i;

/** What parsers of XML say of a word that is none. */
const xmlErrors =
  /start tag expected|XMLSyntaxError|content is not allowed in prolog|not well-formed|SAXParse|simplexml_load|DOMDocument::load|xmlParse|XmlException|data at the root level|ParseError: syntax error: line|document is empty|Nokogiri::XML|REXML::Parse|unclosed token|expat/i;

/** An input whose value is a document: by its name, or because the site itself puts one there. */
export const takesXml = ({ parameter, sample, in: place }: InputSurface): boolean =>
  isXml(sample) || inCode(sample) !== undefined || (place !== 'path' && xmlNames.test(parameter));

export const saysXmlError = (text: string): boolean => xmlErrors.test(text);

const isXml = (text: string): boolean => /^\s*<[?!a-z_]/i.test(text);

/** The document that a value has in base64. */
function inCode(sample: string): string | undefined {
  const text = /^[\w+/-]{12,}={0,2}$/.test(sample) ? Buffer.from(sample, 'base64').toString() : '';
  return isXml(text) ? text : undefined;
}

const xmlType = /^(?:application|text)\/(?:[\w.+-]*\+)?xml\b/i;

/** Whole bodies that are documents: those that scripts send, and JSON written as XML, which many frameworks read as well. */
export function xmlBodies({ calls, inputs }: Pick<Surface, 'calls' | 'inputs'>): InputSurface[] {
  const sent = calls.filter(({ method, contentType = '' }) => method === 'POST' && xmlType.test(contentType));
  const bodies = sent.flatMap((call) => (call.body && isXml(call.body) ? [bodyInput(call, call.body)] : []));
  const switched = inputs.flatMap((input) => {
    const body = input.method === 'POST' && input.json ? asXml(input.json.body) : undefined;
    return body === undefined ? [] : [bodyInput(input, body, input.page)];
  });
  // The inputs of a body belong together.
  const first = new Map([...bodies, ...switched].toReversed().map((input) => [`${input.url} ${input.sample}`, input]));
  return [...first.values()].toReversed();
}

const bodyInput = (
  { method, url }: Pick<CallSurface, 'method' | 'url'>,
  sample: string,
  page?: InputSurface['page'],
): InputSurface => ({
  ...{ method, url, route: partRoute(url), parameter: 'XML', in: 'body', sample, others: [] },
  contentType: 'application/xml',
  ...(page ? { page } : {}),
});

/** The members of an object as elements; undefined for what is none. */
function asXml(json: string): string | undefined {
  const value = parseJson(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value).filter(([name]) => /^[a-z_][\w.-]*$/i.test(name));
  const elements = members.map(([name, member]) => `<${name}>${escapeXml(textOf(member))}</${name}>`);
  return elements.length === 0 ? undefined : `<root>${elements.join('')}</root>`;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The request that sends a document in the place of an input's own. */
export function documentAction(input: OpenedInput, document: string): HttpAction {
  if (inCode(input.sample) !== undefined)
    return inputAction(input, input.json || input.in === 'header' ? inBase64(document) : inEncodedBase64(document));
  if (input.parameter !== 'XML' || input.contentType !== 'application/xml') return inputAction(input, document);
  const { method, url, opening } = input;
  return { method, url, headers: [['content-type', 'application/xml'], ...(opening?.headers ?? [])], body: document };
}

/** Numbers, dates and the like are refused when they are none, before anything of the document comes back. */
const isChecked = (text: string): boolean => /^\s*(?:[\d.,:TZ+/-]*\d[\d.,:TZ+/-]*|true|false|null)?\s*$/i.test(text);

/**
 * A document like that of the site with this in the place of its texts, or a plain one.
 * @param declarations of the internal subset; without any there is no document type
 */
export function documentWith(sample: string, content: string, declarations = ''): string {
  const plain = inCode(sample) ?? sample;
  const own = isXml(plain)
    ? plain.replace(/<\?xml[^>]{0,200}\?>|<!DOCTYPE[^>[]{0,300}(?:\[[^\]]{0,2000}\])?[^>]{0,50}>/gi, '').trim()
    : '';
  const words = own.replace(/>([^<>]+)<\//g, (all, text: string) => (isChecked(text) ? all : `>${content}</`));
  const filled = words === own ? own.replace(/>[^<>]+<\//g, `>${content}</`) : words;
  const root = own !== '' && filled !== own ? filled : `<r>${content}</r>`;
  return declarations === '' ? root : `<?xml version="1.0"?><!DOCTYPE r [${declarations}]>${root}`;
}

/**
 * The same document with its type in UTF-7, of which a filter of words sees no word: parsers read what the first line names. Without
 * references, which would be encoded. Source: RFC 2152, XML 1.0 §4.3.3.
 */
export const inOtherCharacters = (document: string): string =>
  document
    .replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-7"?>')
    .replace(/<!DOCTYPE [^>[]*\[.*\]>/s, (type) => `+${inUtf16(type)}-`);

const inUtf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '');
