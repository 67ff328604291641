import { parseJson } from '../model/json.ts';
import { isMildMutation, memberNames } from '../probe/gate/graphql.ts';
import { secretNames } from '../probe/gate/words/fields.ts';
import { actingInName } from '../probe/gate/words.ts';
import { withoutLikeOperators } from './graphql-operators.ts';

/** What a schema lets anybody ask for. @property bodies requests in JSON, one for each query, and for each mutation that takes a password, or whose name adds something or says nothing of what it does: whether it may be sent the gate decides @property left queries beyond the bound @property alike optional members of arguments that are left out, since others of their types are sent @property writes other mutations, and queries whose names act: they are not asked for */
type SchemaQueries = {
  bodies: { kind: 'query' | 'mutation'; name: string; body: string }[];
  left: number;
  alike: number;
  writes: number;
};

/** Asks for what a query can be made of. Source: GraphQL specification, §4.2 Schema Introspection. */
export const introspection = JSON.stringify({
  query: `query { __schema { queryType { name } mutationType { name } types { kind name enumValues { name }
inputFields { name type { ...T } } fields { name args { name type { ...T } } type { ...T } } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`,
});

const maxQueries = 60;
/** Those that a test system takes, one by one. */
const maxMutations = 30;
/** The largest public schemas have fewer. */
const maxFieldsOfType = 1_000;
const maxArguments = 20;
const maxFields = 8;
/** Objects within objects of what is asked for, and of what is sent along. */
const maxLevels = 2;
/** By how deep an argument is: the code behind a type of arguments, as that of all filters of a text, is the same wherever it is used. */
const mostOfInputType = (level: number) => (level === 0 ? 2 : 1);
/** Names of the language: what is none is no part of a query of ours. Source: GraphQL specification, §2.1.9. */
const nameLike = /^[_A-Za-z]\w{0,60}$/;

type TypeRef = { kind?: unknown; name?: unknown; ofType?: unknown };
type SchemaField = { name: string; type: TypeRef; args: SchemaField[] };
type SchemaType = { kind: string; values: string[]; inputs: SchemaField[]; fields: SchemaField[] };
/** Its types, and how often each type of arguments was sent with all its members. */
type DescribedSchema = { types: Map<string, SchemaType>; timesSent: Map<string, number>; alike: number };

/**
 * A request for each query of a schema that a server describes: its arguments as variables, with samples, and the plain
 * fields of what it gives, two levels deep.
 * @returns undefined when the answer is no schema
 * @throws ProbeError `too_large`
 */
export function queriesOf(answer: string): SchemaQueries | undefined {
  const described = schemaIn(answer);
  const rootName = at(at(described, 'queryType'), 'name');
  const types = typesIn(described);
  const schema: DescribedSchema = { types, timesSent: new Map(), alike: 0 };
  const root = types.get(String(rootName));
  if (!root) return undefined;
  const writing = types.get(String(at(at(described, 'mutationType'), 'name')))?.fields ?? [];
  const reading = root.fields.filter((field) => actingInName(field.name) === undefined || isOfItsType(field));
  const asked = reading.slice(0, maxQueries).map((field) => requestFor(field, schema, 'query'));
  const mild = writing
    .slice(0, maxMutations)
    .map((field) => requestFor(field, schema, 'mutation'))
    .filter(({ body }) => isMildMutation(body) || takesPassword(body));
  const bodies = [...asked, ...mild];
  return {
    bodies,
    left: reading.length - asked.length,
    alike: schema.alike,
    writes: writing.length - mild.length + root.fields.length - reading.length,
  };
}

/** "order" that gives an Order, and "orders" a list of them: what acts by its name is a noun there. */
const isOfItsType = ({ name, type }: SchemaField): boolean =>
  name.toLowerCase().replace(/s$/, '') === String(unwrapped(type).name).toLowerCase();

const schemaIn = (answer: string): unknown => at(at(parseJson(answer), 'data'), '__schema');
const typesIn = (described: unknown): Map<string, SchemaType> =>
  new Map(listOf(at(described, 'types')).flatMap((type) => typeOf(type)));

/** A mutation by what may be sent in it. @property needed those without which it is refused */
type DescribedMutation = {
  name: string;
  members: string[];
  needed: string[];
  /** The request that sends these members alone. */
  bodyWith(values: Readonly<Record<string, unknown>>): string;
};

/** Mutations that a server describes, each with its arguments, or with those of the one object that it takes. @throws ProbeError `too_large` */
export function mutationsOf(answer: string): DescribedMutation[] {
  const described = schemaIn(answer);
  const types = typesIn(described);
  const fields = types.get(String(at(at(described, 'mutationType'), 'name')))?.fields ?? [];
  return fields.slice(0, maxMutations).map(({ name, type, args }) => {
    const holder = args.find((arg) => types.get(String(unwrapped(arg.type).name))?.kind === 'INPUT_OBJECT');
    const inputs = holder ? (types.get(String(unwrapped(holder.type).name))?.inputs ?? []) : args;
    const beside = args.filter((arg) => arg !== holder && arg.type.kind === 'NON_NULL');
    const isNeeded = (input: SchemaField) => input.type.kind === 'NON_NULL';
    const needed = [...inputs.filter(isNeeded), ...(holder ? beside : [])].map((input) => input.name);
    const bodyWith = (values: Readonly<Record<string, unknown>>): string => {
      const sent = holder ? [holder, ...beside] : args.filter((arg) => arg.name in values);
      const query = `mutation ${name}${callOf({ name, type, args: sent }, types, 1)}`;
      const isBeside = (own: string) => beside.some((arg) => arg.name === own);
      const { true: own = [], false: within = [] } = Object.groupBy(Object.entries(values), ([each]) =>
        holder && !isBeside(each) ? 'false' : 'true',
      );
      const held = holder ? { [holder.name]: Object.fromEntries(within) } : {};
      return JSON.stringify({ query, variables: { ...Object.fromEntries(own), ...held } });
    };
    return { name, members: inputs.map((input) => input.name), needed, bodyWith };
  });
}

/** Logins, registrations and resets are for the few checks that know them. */
const takesPassword = (body: string): boolean =>
  memberNames(at(parseJson(body), 'variables')).some((name) => secretNames.test(name));

const at = (value: unknown, name: string): unknown => (Object(value) as Record<string, unknown>)[name];
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const namesIn = (value: unknown): string[] =>
  listOf(value).flatMap((each) => {
    const name = at(each, 'name');
    return typeof name === 'string' && nameLike.test(name) ? name : [];
  });

function typeOf(value: unknown): [string, SchemaType][] {
  const [name] = namesIn([value]);
  if (name === undefined) return [];
  const inputs = fieldsOf(at(value, 'inputFields'));
  const fields = fieldsOf(at(value, 'fields'));
  return [[name, { kind: String(at(value, 'kind')), values: namesIn(at(value, 'enumValues')), inputs, fields }]];
}

const fieldsOf = (value: unknown, most = maxFieldsOfType): SchemaField[] =>
  listOf(value)
    .slice(0, most)
    .flatMap((each) => {
      const [name] = namesIn([each]);
      return name === undefined
        ? []
        : { name, type: Object(at(each, 'type')), args: fieldsOf(at(each, 'args'), maxArguments) };
    });

function requestFor({ name, type, args }: SchemaField, schema: DescribedSchema, kind: 'query' | 'mutation') {
  const variables = Object.fromEntries(args.map((arg) => [arg.name, sampleOf(arg.type, schema, 0)]));
  const query = `${kind} ${name}${callOf({ name, type, args }, schema.types, 0)}`;
  return { kind, name, body: JSON.stringify({ query, variables }) };
}

/** The rest of an operation: its variables, and the one field that it calls with them. @param level from which on fields are asked for */
function callOf({ name, type, args }: SchemaField, types: Map<string, SchemaType>, level: number): string {
  const declared = args.map((arg) => `$${arg.name}: ${written(arg.type)}`).join(', ');
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selected = selection(type, types, level);
  const call = `${name}${given === '' ? '' : `(${given})`}${selected === '' ? '' : ` ${selected}`}`;
  return `${declared === '' ? '' : `(${declared})`} { ${call} }`;
}

const isWrapped = ({ kind }: TypeRef): boolean => kind === 'NON_NULL' || kind === 'LIST';

/** As it is declared: "[ID!]!". */
function written(type: TypeRef): string {
  if (!isWrapped(type)) return nameLike.test(String(type.name)) ? String(type.name) : 'String';
  const inner = written(Object(type.ofType));
  return type.kind === 'LIST' ? `[${inner}]` : `${inner}!`;
}

const unwrapped = (type: TypeRef): TypeRef => (isWrapped(type) ? unwrapped(Object(type.ofType)) : type);

function sampleOf(type: TypeRef, schema: DescribedSchema, level: number): unknown {
  if (type.kind === 'NON_NULL') return sampleOf(Object(type.ofType), schema, level);
  if (type.kind === 'LIST') return [sampleOf(Object(type.ofType), schema, level)];
  const name = String(type.name);
  const known = schema.types.get(name);
  if (known?.kind === 'ENUM') return known.values[0];
  if (known?.kind !== 'INPUT_OBJECT') return samples[name] ?? '1';
  if (level > maxLevels) return {};
  return Object.fromEntries(
    membersOf(name, known, schema, level).map((input) => [input.name, sampleOf(input.type, schema, level + 1)]),
  );
}

/** Those that an object has to have, and the others where its type was not sent as often as it takes. */
function membersOf(name: string, { inputs }: SchemaType, schema: DescribedSchema, level: number): SchemaField[] {
  const times = schema.timesSent.get(name) ?? 0;
  schema.timesSent.set(name, times + 1);
  const needed = inputs.filter((input) => input.type.kind === 'NON_NULL');
  if (level < maxLevels && times < mostOfInputType(level)) {
    const varied = withoutLikeOperators(inputs, ({ type }) => type.kind === 'NON_NULL');
    schema.alike += inputs.length - varied.length;
    return varied.slice(0, maxFields);
  }
  if (level < maxLevels) schema.alike += Math.min(inputs.length, maxFields) - Math.min(needed.length, maxFields);
  return needed.slice(0, maxFields);
}

const samples: Readonly<Record<string, unknown>> = { Int: 1, Float: 1.5, Boolean: false };

/** Plain fields, and those of objects that need no arguments. */
function selection(type: TypeRef, types: Map<string, SchemaType>, level: number): string {
  const known = types.get(String(unwrapped(type).name));
  if (!known || known.kind === 'SCALAR' || known.kind === 'ENUM') return '';
  const open = known.fields.filter(({ args }) => args.every((arg) => arg.type.kind !== 'NON_NULL'));
  const isPlain = (field: SchemaField) => /^(?:SCALAR|ENUM)$/.test(String(unwrapped(field.type).kind));
  const plain = open.filter(isPlain).map(({ name }) => name);
  const nested = level + 1 < maxLevels ? open.filter((field) => !isPlain(field)) : [];
  const further = nested.slice(0, maxFields).map((field) => `${field.name} ${selection(field.type, types, level + 1)}`);
  return `{ ${[...plain.slice(0, 2 * maxFields), ...further].join(' ') || '__typename'} }`;
}
