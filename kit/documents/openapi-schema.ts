import { percentDecodedOrSame } from '../percent.ts';
import { maxUrls } from './draft.ts';
import { firstNames, isNode, listOf, type Node, nodeOf, nodesOf } from './json.ts';

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

const tokenText = (token: string): string => percentDecodedOrSame(token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** More properties, and parts of a schema, than a request's parameters are made of. */
const maxProperties = 300;

/**
 * The properties of an object, those of its parts among them; of alternatives the first. Parts that refer to each other
 * can stand for more than there is: from `maxProperties` on they are left out, as the parameters made of them would be.
 */
export function propertiesOf(root: Node, given: unknown): { properties: Property[]; isCut: boolean } {
  const properties: Property[] = [];
  const budget = { left: maxProperties, isCut: false };
  addProperties(root, given, [], properties, budget);
  return { properties, isCut: budget.isCut };
}

type Property = [name: string, schema: Node];

/** How many more members are read, and whether something other than a repetition was left out. */
type ReadBudget = { left: number; isCut: boolean };

function addProperties(
  root: Node,
  given: unknown,
  above: readonly Node[],
  found: Property[],
  budget: ReadBudget,
): void {
  budget.left -= 1;
  const schema = resolve(root, given);
  if (isBeyond(schema, above, budget)) return;
  const [alternative] = [listOf(schema.oneOf)[0], listOf(schema.anyOf)[0]].filter((each) => each !== undefined);
  for (const part of listOf(schema.allOf)) {
    if (isBeyond(schema, above, budget, 0)) return;
    addProperties(root, part, [...above, schema], found, budget);
  }
  if (alternative !== undefined) addProperties(root, alternative, [...above, schema], found, budget);
  const properties = nodeOf(schema.properties);
  for (const name of firstNames(properties)) {
    if (isBeyond(schema, above, budget, 0)) return;
    budget.left -= 1;
    found.push([name, resolve(root, properties[name])]);
  }
}

/** A type that stands in itself is shown so often within itself. */
const maxRepeats = 2;

/** Whether the budget is used up. A type that contains itself has to end somewhere: that cuts nothing. */
function isBeyond(schema: Node, above: readonly Node[], budget: ReadBudget, least = -1): boolean {
  if (above.filter((each) => each === schema).length >= maxRepeats) return true;
  if (above.length <= maxDepth && budget.left > least) return false;
  budget.isCut = true;
  return true;
}

/** Schemas that refer to each other can stand for more than anybody sends. */
const maxMembers = 300;

/** A value that fits a schema, objects and lists included; `isCut` without what lies too deep, or is too much. */
export function wholeValueFor(root: Node, given: unknown): { value: unknown; isCut: boolean } {
  const budget = { left: maxMembers, isCut: false };
  const value = valueWithin(root, given, [], budget);
  return { value, isCut: budget.isCut };
}

function valueWithin(root: Node, given: unknown, above: readonly Node[], budget: ReadBudget): unknown {
  budget.left -= 1;
  const schema = resolve(root, given);
  if (isBeyond(schema, above, budget)) return undefined;
  const example = [schema.example, ...firstOf(schema.examples), schema.default].find((value) => value !== undefined);
  if (example !== undefined) return example;
  const { properties, isCut } = propertiesOf(root, schema);
  budget.isCut ||= isCut;
  const below = [...above, schema];
  if (properties.length > 0)
    return Object.fromEntries(properties.map(([name, each]) => [name, valueWithin(root, each, below, budget)]));
  if ([schema.type].flat().includes('array')) return [valueWithin(root, schema.items, below, budget)];
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
  const candidates = [
    schema.const,
    schema.example,
    ...firstOf(schema.examples),
    schema.default,
    ...firstOf(schema.enum),
  ];
  const said = candidates.find((value) => ['string', 'number', 'boolean'].includes(typeof value));
  if (said !== undefined) return said;
  const types = [schema.type].flat();
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
  if (types.includes('boolean')) return true;
  if (types.includes('object') || types.includes('array')) return undefined;
  return byFormat[String(schema.format)] ?? 'a';
}

/** One list may be that of all operations, and long: a value is found among its first items, or not at all. */
const firstOf = (list: unknown): unknown[] => listOf(list).slice(0, 20);

function firstMember(node: Node): unknown {
  const [name] = firstNames(node);
  return name === undefined ? undefined : node[name];
}

/** The value of a parameter or media type that has examples of its own. */
export function exampleOf(root: Node, { example, examples }: Node): unknown {
  if (example !== undefined) return example;
  const first = Array.isArray(examples) ? examples[0] : firstMember(nodeOf(examples));
  return isNode(first) ? resolve(root, first).value : first;
}

/** Servers of a document, path or operation, with the defaults of their variables. */
export function serversOf(holder: Node): string[] {
  return nodesOf(listOf(holder.servers).slice(0, maxUrls)).flatMap(({ url, variables }) => {
    if (typeof url !== 'string') return [];
    return [url.replace(/\{([^{}]*)\}/g, (_, name) => String(nodeOf(nodeOf(variables)[name]).default ?? ''))];
  });
}
