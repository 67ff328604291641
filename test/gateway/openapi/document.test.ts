import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpointsOf, routesOf } from '../../../gateway/endpoints.ts';
import { wordsOf } from '../../../gateway/enum-words.ts';
import { statusOf } from '../../../gateway/errors.ts';
import { openApiDocument } from '../../../gateway/openapi/document.ts';
import { reasonName } from '../../../kit/reasons.ts';
import { comments } from '../../../proto/gen/comments.ts';
import { access, field as fieldOption, rest } from '../../../proto/gen/scanaudit/v1/options_pb.ts';

type Json = Record<string, unknown>;
type Parameter = Json & { name: string; in: string; required: boolean; schema: Json };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  security: Json[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<
    string,
    {
      headers: Json;
      content?: Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }>;
    }
  >;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Json> } };

const raw = openApiDocument();
const document = raw as unknown as Document;
const ajv = new Ajv2020({ strict: false, logger: false });
formats.default(ajv);
ajv.addSchema(raw, 'document');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const camelPath = (path: string) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const operationOf = (method: string, path: string): Operation => {
  const operation = document.paths[camelPath(path)]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
};

const Doc = suite('/openapi.json');

Doc('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(raw));
  assert.equal(result.errors ?? [], []);
  assert.is(validator.version, '3.1');
});

Doc('has each route of the contract, and no other', () => {
  const contract = routesOf().map(([{ method, path }]) => `${method} ${camelPath(path)}`);
  assert.equal(operations.map(({ name }) => name).sort(), contract.sort());
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.is(new Set(ids).size, ids.length);
});

Doc('says of each operation what it does, in the words of the contract', () => {
  for (const { rpc, method, path } of endpointsOf()) {
    const text = comments[`${rpc.parent.typeName}.${rpc.name}`] ?? '';
    assert.ok(text.length > 10, `${rpc.name} has no comment`);
    assert.ok(operationOf(method, path).description.includes(text), rpc.name);
  }
  for (const { name, operation } of operations) assert.ok(operation.summary.length > 5, name);
});

Doc('names the scope that a key needs, and asks for a key where the contract does', () => {
  for (const { rpc, method, path } of endpointsOf()) {
    const { scope, public: isPublic } = getOption(rpc, access);
    const { description, security } = operationOf(method, path);
    if (scope !== '') assert.ok(description.includes(`\`${scope}\``), rpc.name);
    assert.is(security.length, isPublic ? 0 : 1);
  }
});

Doc('has the success and each refusal that the contract names, with its headers', () => {
  for (const { rpc, method, path, successStatus, mediaTypes, location } of endpointsOf()) {
    const { responses } = operationOf(method, path);
    const success = responses[successStatus];
    if (successStatus !== 204)
      for (const type of mediaTypes) assert.ok(success?.content?.[type], `${rpc.name}: ${type}`);
    assert.is('Location' in (success?.headers ?? {}), location !== '');
    for (const reason of getOption(rpc, rest).refusals.map(reasonName)) {
      assert.ok(reason, `${rpc.name} names no reason`);
      const examples = reason && responses[statusOf(reason)]?.content?.['application/problem+json']?.examples;
      assert.ok(examples && reason.toLowerCase() in examples, `${rpc.name}: ${reason}`);
    }
    for (const status of ['401', '403', '429', '500', '503', '504'])
      assert.ok(responses[status], `${rpc.name}: ${status}`);
    assert.ok('Retry-After' in (responses['429']?.headers ?? {}));
    assert.ok('RateLimit' in (success?.headers ?? {}));
  }
});

Doc('has each parameter and body field with the limits of the contract', () => {
  for (const { rpc, method, path, pathFields, queryFields, body } of endpointsOf()) {
    const { parameters, requestBody } = operationOf(method, path);
    for (const [place, fields] of [
      ['path', pathFields],
      ['query', queryFields],
    ] as const)
      for (const field of fields) {
        const parameter = parameters.find((each) => each.in === place && each.name === field.jsonName);
        assert.ok(parameter, `${rpc.name}: ${field.jsonName}`);
        if (parameter) assertLimits(field, parameter.schema);
      }
    assert.is(requestBody === undefined, body === undefined);
    const message = body === '*' ? rpc.input : body?.message;
    if (message && requestBody)
      assertFields(message, requestBody.content['application/json']?.schema ?? {}, pathFields);
  }
});

function assertFields(message: DescMessage, schema: Json, omit: readonly DescField[]): void {
  const {
    properties,
    required = [],
    additionalProperties,
  } = resolve(schema) as {
    properties: Record<string, Json>;
    required?: string[];
    additionalProperties: boolean;
  };
  assert.is(additionalProperties, false, `${message.name} lets unknown fields pass`);
  const fields = message.fields.filter((field) => !omit.includes(field));
  assert.equal(Object.keys(properties).sort(), fields.map(({ jsonName }) => jsonName).sort());
  for (const field of fields) {
    const property = properties[field.jsonName] ?? {};
    assertLimits(field, property);
    assert.is(required.includes(field.jsonName), getOption(field, fieldOption).required, field.toString());
    const isTime = field.message?.typeName.startsWith('google.protobuf.');
    if (field.fieldKind === 'message' && !isTime) assertFields(field.message, property, []);
  }
}

function assertLimits(field: DescField, schema: Json): void {
  const name = field.toString();
  const { min, max, minLength, maxLength, maxItems, pattern, format } = getOption(field, fieldOption);
  const one = (field.fieldKind === 'list' ? schema.items : schema) as Json;
  assert.is(schema.maxItems, maxItems || undefined, name);
  assert.is(one.minimum, min, name);
  assert.is(one.maximum, max, name);
  assert.is(one.minLength, minLength || undefined, name);
  assert.is(one.maxLength, maxLength || undefined, name);
  const isFreeText = one.type === 'string' && !one.enum && !one.format;
  assert.is(one.pattern, pattern || (isFreeText ? '^[^\\u0000]*$' : undefined), name);
  if (format !== '') assert.is(one.format, format, name);
  if (field.enum) assert.equal(one.enum, wordsOf(field.enum), name);
}

const resolve = (schema: Json): Json =>
  typeof schema.$ref === 'string' ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

Doc('has examples that its own schemas accept', () => {
  const wrong: string[] = [];
  const check = (at: string[], examples: unknown[]): void => {
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.compile({ $ref: `document#/${pointer}` });
    for (const example of examples)
      if (!validate(example)) wrong.push(`${at.join(' ')}: ${ajv.errorsText(validate.errors)}`);
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      const media = [
        ...Object.entries(requestBody?.content ?? {}).map(([type, each]) => ({
          at: ['requestBody', 'content', type],
          each,
        })),
        ...Object.entries(responses).flatMap(([status, { content }]) =>
          Object.entries(content ?? {}).map(([type, each]) => ({ at: ['responses', status, 'content', type], each })),
        ),
      ];
      for (const { at, each } of media) {
        const { example, examples = {} } = each as { example?: unknown; examples?: Record<string, { value: unknown }> };
        const all = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
        check(['paths', path, method, ...at, 'schema'], all);
      }
    }
  assert.equal(wrong, []);
});

Doc('refers only to what it has, and has nothing that is not referred to', () => {
  const text = JSON.stringify(raw);
  const referred = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name));
  const { securitySchemes: _, ...components } = (raw as { components: Record<string, Json> }).components;
  const had = Object.entries(components).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  assert.equal([...referred].sort(), had.sort());
});

Doc.run();
