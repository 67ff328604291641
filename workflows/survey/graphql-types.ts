import { parseJson } from '../model/json.ts';

const leaf = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
const fieldsWith = (type: string): string => `fields { name args { name type { ...T } } type { ${type} } }`;
const wrapped = (type: string): string => `${type} ofType { ${type} ofType { ${type} ofType { ${type} } } }`;

/**
 * Asks for the types that queries and mutations are usually named, with the types of their fields, one by one: some servers refuse a
 * query for the whole schema by its word alone. Fields within fields are as deep as servers let introspection go (graphql-js,
 * MaxIntrospectionDepthRule). Source: GraphQL specification, §4.2.
 */
export const typesByName = JSON.stringify({
  query: `query { reading: __type(name: "Query") { ...C } writing: __type(name: "Mutation") { ...C } }
fragment T on __Type { ${leaf} }
fragment B on __Type { kind name ${fieldsWith('...T')} }
fragment C on __Type { kind name ${fieldsWith(wrapped('...B'))} }`,
});

/** The same as an answer that describes the whole schema; undefined where it has no type for queries. */
export function schemaOfTypes(answer: string): string | undefined {
  const data = memberOf(parseJson(answer), 'data');
  const [reading, writing] = [memberOf(data, 'reading'), memberOf(data, 'writing')];
  const types = new Map<string, unknown>();
  gather([reading, writing], types);
  const name = memberOf(reading, 'name');
  if (typeof name !== 'string' || !types.has(name)) return undefined;
  const schema = { queryType: { name }, mutationType: writing, types: [...types.values()] };
  return JSON.stringify({ data: { __schema: schema } });
}

/** All types whose fields the answer has; each has all of its own wherever it stands. */
function gather(value: unknown, types: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  const name = memberOf(value, 'name');
  if (typeof name === 'string' && Array.isArray(memberOf(value, 'fields')) && !types.has(name)) types.set(name, value);
  for (const each of Object.values(value)) gather(each, types);
}

const memberOf = (value: unknown, name: string): unknown => (Object(value) as Record<string, unknown>)[name];
