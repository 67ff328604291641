import {
  bodyWithoutSecrets,
  type Draft,
  type DraftBody,
  isWeb,
  noBody,
  type Parameter,
  type ParameterIn,
  sampleOf,
} from './draft.ts';
import { entriesOf, firstNames, isNode, listOf, type Node, nodeOf, textOf } from './json.ts';
import { exampleOf, propertiesOf, resolve, serversOf, valueFor, wholeValueFor } from './openapi-schema.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export const isOpenApi = ({ openapi, swagger }: Node): boolean =>
  /^3\.\d/.test(String(openapi)) || String(swagger) === '2.0' || swagger === 2;

/** Parameters of a path and of an operation that are looked at: more than are kept of a request. */
const maxLooked = 300;

/** Every operation of a description. Source: OpenAPI Specification 2.0, 3.0 and 3.1. */
export function* readOpenApi(root: Node): Generator<Draft> {
  const bases = 'swagger' in root ? basesOf2(root) : basesOf3(serversOf(root));
  for (const [path, item] of entriesOf(root.paths)) {
    if (!path.startsWith('/')) continue;
    const encoded = encodePath(path);
    const pathItem = resolve(root, item);
    for (const method of methods) {
      const operation = pathItem[method];
      if (!isNode(operation)) continue;
      const own = [serversOf(operation), serversOf(pathItem)].find(({ length }) => length > 0);
      const parameters = [pathItem, operation].flatMap((each) => listOf(each.parameters).slice(0, maxLooked));
      const described = parameters.map((each) => resolve(root, each));
      const body = bodyOf(root, operation, described);
      yield {
        method: method.toUpperCase(),
        urls: (own ? basesOf3(own) : bases).map((base) => base + encoded),
        parameters: [...described.flatMap((each) => parameterOf(root, each)), ...body.fields],
        ...{ contentType: body.contentType, body: body.body },
        title: [operation.operationId, operation.summary].map(textOf).join(' ').trim(),
      };
    }
  }
}

function basesOf2({ host, basePath, schemes }: Node): string[] {
  const path = withoutSlash(textOf(basePath));
  if (textOf(host) === '') return [path];
  const known = listOf(schemes).filter((scheme) => scheme === 'https' || scheme === 'http');
  return basesOf3((known.length > 0 ? known : ['https', 'http']).map((scheme) => `${scheme}://${host}${path}`));
}

/** Addresses of servers; what is relative is below whatever is audited. */
function basesOf3(servers: readonly string[]): string[] {
  if (servers.length === 0) return [''];
  return servers.flatMap((server) => {
    const url = URL.parse(server.startsWith('//') ? `https:${server}` : server);
    if (url) return isWeb(url) ? [url.origin + withoutSlash(url.pathname)] : [];
    const path = withoutSlash(server.replace(/[?#].*$/s, ''));
    return [path === '' || path.startsWith('/') ? path : `/${path}`];
  });
}

/** With a loop: a pattern for slashes at the end takes the square of their number where none is at the end. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

const encodePath = (path: string): string =>
  path.replace(/[?#].*$/s, '').replace(/[^\x21-\x7e]|["<>\\^`|]/gu, (character) => encodeURIComponent(character));

const places: Record<string, ParameterIn> = {
  query: 'query',
  path: 'path',
  formData: 'body',
  header: 'header',
  cookie: 'cookie',
};

function parameterOf(root: Node, parameter: Node): Parameter[] {
  const name = textOf(parameter.name);
  const place = places[textOf(parameter.in)];
  if (!place || parameter.type === 'file') return [];
  const value = exampleOf(root, parameter) ?? valueFor(root, parameter.schema ?? parameter);
  // A path without a value is another path.
  return [{ name, in: place, sample: sampleOf(name, value) || (place === 'path' ? '1' : '') }];
}

type DescribedBody = { fields: Parameter[]; contentType: string; body: DraftBody };

/** Of several media types JSON is taken, since forms are mostly offered beside it. */
function bodyOf(root: Node, operation: Node, parameters: readonly Node[]): DescribedBody {
  const content = entriesOf(resolve(root, operation.requestBody).content);
  const [type, media] = content.find(([name]) => /\bjson\b/i.test(name)) ?? content[0] ?? [];
  if (type !== undefined) return describedAs(root, nodeOf(media), type);
  const whole = parameters.find((parameter) => parameter.in === 'body');
  const consumes = [...listOf(operation.consumes), ...listOf(root.consumes)].map(String);
  const wholeType = consumes[0] ?? 'application/json';
  if (whole) return describedAs(root, whole, wholeType);
  const isForm = parameters.some((parameter) => parameter.in === 'formData');
  const form = consumes.find((each) => each.includes('form')) ?? 'application/x-www-form-urlencoded';
  return { fields: [], contentType: isForm ? form : '', body: noBody };
}

function describedAs(root: Node, media: Node, contentType: string): DescribedBody {
  const { fields, isCut } = fieldsOf(root, media);
  const body = bodyOfType(root, media, contentType);
  return { fields, contentType, body: { ...body, isCut: body.isCut || isCut } };
}

/** What is neither JSON nor a form is not made. */
function bodyOfType(root: Node, media: Node, type: string): DraftBody {
  if (!/\bjson\b/i.test(type)) return { text: '', isCut: !/form-data|x-www-form-urlencoded/i.test(type) };
  const example = exampleOf(root, media);
  if (example !== undefined) return bodyWithoutSecrets(example);
  const { value, isCut } = wholeValueFor(root, media.schema);
  const body = bodyWithoutSecrets(value);
  return { ...body, isCut: body.isCut || isCut };
}

function fieldsOf(root: Node, media: Node): { fields: Parameter[]; isCut: boolean } {
  const examples = nodeOf(exampleOf(root, media));
  const { properties, isCut } = propertiesOf(root, media.schema);
  const names = new Set([...properties.map(([name]) => name), ...firstNames(examples)]);
  const schemas = new Map(properties);
  const fields = [...names].map(
    (name): Parameter => ({
      name,
      in: 'body',
      sample: sampleOf(name, examples[name] ?? valueFor(root, schemas.get(name))),
    }),
  );
  return { fields, isCut };
}
