import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { comments } from '../../proto/gen/comments.ts';
import { field as fieldOption } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { wordsOf } from '../enum-words.ts';
import { type Element, elementOf } from '../values.ts';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type Schema = { [keyword: string]: unknown };

/** Schemas of the messages that operations use, by name. A message that is sent and received has one for each way. */
export type Components = {
  /** @returns a reference to the schema of a message as requests have it: what is not known is refused */
  input(message: DescMessage, omit?: readonly DescField[]): Schema;
  /** @returns a reference to the schema of a message as answers have it: more may come with later versions */
  output(message: DescMessage): Schema;
  all(): Record<string, Schema>;
};

export function createComponents(): Components {
  const schemas = new Map<string, Schema>();
  const refer = (name: string, make: () => Schema): Schema => {
    if (!schemas.has(name)) {
      // Named before it is made: a message may hold itself.
      schemas.set(name, {});
      schemas.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const components: Components = {
    input: (message, omit = []) =>
      refer(inputName(message), () => inputSchema(message, omit, (inner) => components.input(inner))),
    output: (message) => refer(message.name, () => outputSchema(message, (inner) => components.output(inner))),
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return components;
}

const inputName = ({ name }: DescMessage) => (name.endsWith('Request') ? name : `${name}Input`);

type Refer = (message: DescMessage) => Schema;

function inputSchema(message: DescMessage, omit: readonly DescField[], refer: Refer): Schema {
  const fields = message.fields.filter((field) => !omit.includes(field));
  const required = fields.filter(isRequired).map(({ jsonName }) => jsonName);
  const [choice] = message.oneofs.filter(({ fields: members }) => members.length > 1);
  return {
    type: 'object',
    ...described(message.typeName),
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, refer)])),
    ...(required.length > 0 && { required }),
    ...(choice && { oneOf: choice.fields.map(({ jsonName }) => ({ required: [jsonName] })) }),
    additionalProperties: false,
  };
}

/** What is always written is required, so that a client needs no defaults (gateway/json.ts). */
function outputSchema(message: DescMessage, refer: Refer): Schema {
  const required = message.fields.filter(isAlwaysWritten).map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    ...described(message.typeName),
    properties: Object.fromEntries(message.fields.map((field) => [field.jsonName, fieldSchema(field, refer)])),
    ...(required.length > 0 && { required }),
  };
}

export const isRequired = (field: DescField): boolean => getOption(field, fieldOption).required;

const isAlwaysWritten = (field: DescField): boolean =>
  field.fieldKind === 'list' || (field.presence === FeatureSet_FieldPresence.IMPLICIT && field.enum === undefined);

/** The schema of a field or parameter, with what its comment and its option say. */
export function fieldSchema(field: DescField, refer: Refer): Schema {
  const element = elementSchema(elementOf(field), refer);
  const limited = { ...element, ...limits(field) };
  const { maxItems } = getOption(field, fieldOption);
  const schema =
    field.fieldKind === 'list' ? { type: 'array', items: limited, ...(maxItems > 0 && { maxItems }) } : limited;
  return { ...schema, ...described(`${field.parent.typeName}.${field.name}`) };
}

/** Text that core takes where the contract asks for no form of its own (core/interceptors/validate.ts). */
export const anyText = '^[^\\u0000]*$';

function elementSchema(element: Element, refer: Refer): Schema {
  switch (element.kind) {
    case 'message':
      return refer(element.message);
    case 'enum':
      return { type: 'string', enum: wordsOf(element.enum) };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'int32':
      return { type: 'integer', format: 'int32' };
    case 'double':
      return { type: 'number' };
    case 'bool':
      return { type: 'boolean' };
    case 'string':
      return { type: 'string' };
  }
}

function limits(field: DescField): Schema {
  const { min, max, minLength, maxLength, pattern, format, example } = getOption(field, fieldOption);
  return {
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(minLength > 0 && { minLength }),
    ...(maxLength > 0 && { maxLength }),
    ...(pattern !== '' ? { pattern } : isText(field) && format === '' && { pattern: anyText }),
    ...(format !== '' && { format }),
    ...(example !== '' && { examples: [isNumber(field) ? Number(example) : example] }),
  };
}

const isText = (field: DescField): boolean => elementOf(field).kind === 'string';

function isNumber(field: DescField): boolean {
  const { kind } = elementOf(field);
  return kind === 'int32' || kind === 'double';
}

/** What the contract's comment says. */
export const described = (name: string): Schema => {
  const description = comments[name];
  return description === undefined ? {} : { description };
};
