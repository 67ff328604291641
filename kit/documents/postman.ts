import { readJson } from '../json.ts';
import { type Draft, type DraftBody, isWeb, noBody, type Parameter, sampleOf } from './draft.ts';
import { isNode, listOf, type Node, nodeOf, nodesOf, textOf } from './json.ts';
import { jsonBodyOf, membersOf, pairsOf } from './json-body.ts';

/** Folders within folders: deeper ones are left out. */
const maxDepth = 20;
/** Values of variables that name further variables. */
const maxRounds = 5;

type Variables = ReadonlyMap<string, string>;

/** The collection, which some exports wrap once more. Undefined for another kind of document. */
export function postmanCollection(document: Node): Node | undefined {
  const collection = isNode(document.collection) ? document.collection : document;
  return Array.isArray(collection.item) && isNode(collection.info) ? collection : undefined;
}

/**
 * Requests of a collection. Source: Postman Collection Format 2.1.0. Headers and `auth` are not taken: they are
 * credentials. A host in a variable that the collection does not set is whatever is audited.
 */
export function* readPostman(collection: Node): Generator<Draft> {
  const variables = variablesOf(collection.variable);
  yield* readItems(nodesOf(collection.item), variables, 0);
}

const variablesOf = (list: unknown): Variables =>
  new Map(nodesOf(list).map(({ key, id, value }) => [textOf(key) || textOf(id), String(value ?? '')]));

function* readItems(items: readonly Node[], variables: Variables, depth: number): Generator<Draft> {
  for (const item of items) {
    if (Array.isArray(item.item) && depth < maxDepth) yield* readItems(nodesOf(item.item), variables, depth + 1);
    const { request } = item;
    const title = textOf(item.name);
    if (typeof request === 'string') yield* draftOf({ url: request }, variables, title);
    else if (isNode(request)) yield* draftOf(request, variables, title);
  }
}

function* draftOf(request: Node, variables: Variables, title: string): Generator<Draft> {
  const url = nodeOf(request.url);
  const [address = '', search = ''] = fill(rawUrl(request.url), variables)
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s);
  const place = placeOf(address);
  if (place === undefined) return;
  const given = Array.isArray(url.query) ? pairsOf(url.query, 'query', 'key') : queryOf(search);
  const { path, parameters } = pathOf(place.path, variablesOf(url.variable));
  const { fields, contentType, body } = bodyOf(nodeOf(request.body), variables);
  yield {
    method: textOf(request.method).toUpperCase() || 'GET',
    urls: [place.origin + path],
    parameters: [...parameters, ...given.map((each) => withoutVariables(each, variables)), ...fields],
    contentType,
    body,
    title,
  };
}

/** `raw` is what people see; collections made by other programs may have the parts only. */
function rawUrl(url: unknown): string {
  if (typeof url === 'string') return url;
  const { raw, protocol, host, port, path } = nodeOf(url);
  if (typeof raw === 'string') return raw;
  const joined = (value: unknown, by: string) => (Array.isArray(value) ? value.map(String).join(by) : textOf(value));
  const authority = joined(host, '.') + (textOf(port) === '' ? '' : `:${textOf(port)}`);
  const scheme = authority === '' || authority.startsWith('{{') ? '' : `${textOf(protocol) || 'https'}://`;
  return `${scheme}${authority}/${joined(path, '/').replace(/^\//, '')}`;
}

/** What filling in may add to a text: values that name further variables several times grow by powers. */
const maxGrowth = 64 * 1024;

function fill(text: string, variables: Variables): string {
  let filled = text;
  let budget = maxGrowth;
  const replacementOf = (whole: string, name: string): string => {
    const value = variables.get(name.trim()) ?? whole;
    budget -= Math.max(0, value.length - whole.length);
    return budget < 0 ? whole : value;
  };
  for (let round = 0; round < maxRounds && budget > 0 && filled.includes('{{'); round += 1)
    filled = filled.replace(/\{\{([^{}]+)\}\}/g, replacementOf);
  return filled;
}

const withoutVariables = (parameter: Parameter, variables: Variables): Parameter => {
  const sample = fill(parameter.sample, variables);
  return { ...parameter, sample: sample.includes('{{') ? '' : sampleOf(parameter.name, sample) };
};

/** Undefined for what is no address of the web. */
function placeOf(address: string): { origin: string; path: string } | undefined {
  const [, host = '', path = ''] = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*)(.*)$/is.exec(address) ?? [];
  if (host === '' || host.includes('{{')) return { origin: '', path: path || '/' };
  const url = URL.parse(host.includes('://') ? host : `https://${host}`);
  return isWeb(url) ? { origin: url.origin, path: path || '/' } : undefined;
}

/** `:id` and `{{id}}` stand for a value. */
function pathOf(text: string, variables: Variables): { path: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [];
  const segments = text.split('/').map((segment) => {
    const name = /^(?::|\{\{)([^{}:]+)(?:\}\})?$/.exec(segment)?.[1]?.trim();
    if (name === undefined) return encodeSegment(segment);
    parameters.push({ name, in: 'path', sample: sampleOf(name, variables.get(name) ?? '') || '1' });
    return `{${name}}`;
  });
  return { path: segments.join('/'), parameters };
}

const encodeSegment = (segment: string): string =>
  segment.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (character) => encodeURIComponent(character.toWellFormed()));

const queryOf = (search: string): Parameter[] =>
  [...new URLSearchParams(search)].map(([name, value]) => ({ name, in: 'query', sample: value }));

function bodyOf(body: Node, variables: Variables): { fields: Parameter[]; contentType: string; body: DraftBody } {
  switch (body.mode) {
    case 'urlencoded':
      return {
        fields: pairsOf(body.urlencoded, 'body', 'key'),
        contentType: 'application/x-www-form-urlencoded',
        body: noBody,
      };
    case 'formdata': {
      const texts = listOf(body.formdata).filter((field) => nodeOf(field).type !== 'file');
      return { fields: pairsOf(texts, 'body', 'key'), contentType: 'multipart/form-data', body: noBody };
    }
    case 'raw': {
      const fields = membersOf(textOf(body.raw));
      const isJson = fields.length > 0 || nodeOf(nodeOf(body.options).raw).language === 'json';
      return {
        fields,
        contentType: isJson ? 'application/json' : 'text/plain',
        body: jsonBodyOf(fill(textOf(body.raw), variables)),
      };
    }
    case 'graphql': {
      const { query, variables: given } = nodeOf(body.graphql);
      const text = JSON.stringify({ query: textOf(query), variables: parsed(textOf(given)) });
      return { fields: [], contentType: 'application/json', body: jsonBodyOf(text) };
    }
    default:
      return { fields: [], contentType: '', body: { text: '', isCut: body.mode === 'file' } };
  }
}

const parsed = (text: string): unknown => readJson(text) ?? {};
