import { entriesOf, isNode, listOf, type Node, nodeOf, nodesOf } from './json.ts';

/** References and compositions within each other: deeper ones are taken for empty. */
const maxDepth = 8;

/** What a node stands for: references within the document are followed, others are never fetched. RFC 6901. */
export function resolve(root: Node, given: unknown): Node {
  let node = nodeOf(given);
  for (let depth = 0; typeof node.$ref === 'string' && depth < maxDepth; depth += 1) {
    const [, pointer] = /^#\/(.*)$/s.exec(node.$ref) ?? [];
    if (pointer === undefined) return {};
    node = nodeOf(pointer.split('/').reduce<unknown>((at, token) => memberOf(at, tokenText(token)), root));
  }
  return node;
}

const memberOf = (value: unknown, name: string): unknown =>
  (isNode(value) || Array.isArray(value)) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function tokenText(token: string): string {
  const pointer = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

/** The properties of an object, those of its parts among them; of alternatives the first. */
export function propertiesOf(root: Node, given: unknown, depth = 0): [name: string, schema: Node][] {
  if (depth > maxDepth) return [];
  const schema = resolve(root, given);
  const [alternative] = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  const parts = [...listOf(schema.allOf), ...(alternative === undefined ? [] : [alternative])];
  return [
    ...parts.flatMap((part) => propertiesOf(root, part, depth + 1)),
    ...entriesOf(schema.properties).map(([name, each]): [string, Node] => [name, resolve(root, each)]),
  ];
}

/** Schemas that refer to each other can stand for more than anybody sends. */
const maxMembers = 300;

/** A value that fits a schema, objects and lists included; without what lies too deep, or is too much. */
export function wholeValueFor(root: Node, given: unknown, depth = 0, room = { left: maxMembers }): unknown {
  room.left -= 1;
  if (depth > maxDepth || room.left < 0) return undefined;
  const schema = resolve(root, given);
  const example = [schema.example, ...listOf(schema.examples), schema.default].find((value) => value !== undefined);
  if (example !== undefined) return example;
  const properties = propertiesOf(root, schema);
  if (properties.length > 0)
    return Object.fromEntries(properties.map(([name, each]) => [name, wholeValueFor(root, each, depth + 1, room)]));
  if ([schema.type].flat().includes('array')) return [wholeValueFor(root, schema.items, depth + 1, room)];
  return valueFor(root, schema);
}

const byFormat: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'audit@example.com',
  uri: 'https://example.com/',
};

/** A value that fits a schema: one that the document gives, or one of its type. Undefined for objects and lists. */
export function valueFor(root: Node, given: unknown): unknown {
  const schema = resolve(root, given);
  const candidates = [schema.const, schema.example, ...listOf(schema.examples), schema.default, ...listOf(schema.enum)];
  const said = candidates.find((value) => ['string', 'number', 'boolean'].includes(typeof value));
  if (said !== undefined) return said;
  const types = [schema.type].flat();
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
  if (types.includes('boolean')) return true;
  if (types.includes('object') || types.includes('array')) return undefined;
  return byFormat[String(schema.format)] ?? 'a';
}

/** The value of a parameter or media type that has examples of its own. */
export function exampleOf(root: Node, { example, examples }: Node): unknown {
  if (example !== undefined) return example;
  const [first] = Array.isArray(examples) ? examples : Object.values(nodeOf(examples));
  return isNode(first) ? resolve(root, first).value : first;
}

/** Servers of a document, path or operation, with the defaults of their variables. */
export function serversOf(holder: Node): string[] {
  return nodesOf(holder.servers).flatMap(({ url, variables }) => {
    if (typeof url !== 'string') return [];
    return [url.replace(/\{([^{}]*)\}/g, (_, name) => String(nodeOf(nodeOf(variables)[name]).default ?? ''))];
  });
}
