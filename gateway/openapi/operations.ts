import { type DescField, getOption } from '@bufbuild/protobuf';
import type { ReasonName } from '../../kit/reasons.ts';
import { comments } from '../../proto/gen/comments.ts';
import { access } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import type { Endpoint, Route } from '../endpoints.ts';
import { exampleOf } from './examples.ts';
import { problemExample, refusalsOf } from './refusals.ts';
import { type Components, described, fieldSchema, isRequired, type Schema } from './schemas.ts';

const problemType = 'application/problem+json';

/** A route as an OpenAPI operation. Endpoints that share it are its media types. */
export function operationOf(route: Route, components: Components): Schema {
  const [first] = route;
  const { rpc } = first;
  const { public: isPublic, scope } = getOption(rpc, access);
  const texts = route.map((endpoint) => comments[nameOf(endpoint)] ?? '');
  const requestBody = bodyOf(first, components);
  return {
    operationId: rpc.localName,
    tags: [rpc.parent.name.replace(/Service$/, '')],
    summary: (texts[0] ?? '').replace(/\. .*$/s, '').replace(/\.$/, ''),
    description: [...texts, ...(scope === '' ? [] : [`Needs the scope \`${scope}\`.`])].join('\n\n'),
    parameters: parametersOf(route, components),
    ...(requestBody && { requestBody }),
    responses: { ...successOf(route, components), ...problemsOf(route) },
    security: isPublic ? [] : [{ key: [] }],
  };
}

const nameOf = ({ rpc }: Endpoint): string => `${rpc.parent.typeName}.${rpc.name}`;

/** The name of a path parameter is that of its field in JSON. */
export const pathOf = ({ path, pathFields }: Endpoint): string =>
  pathFields.reduce((made, { name, jsonName }) => made.replace(`{${name}}`, `{${jsonName}}`), path);

function parametersOf(route: Route, components: Components): Schema[] {
  const [first] = route;
  const parameter = (field: DescField, place: 'path' | 'query'): Schema => ({
    name: field.jsonName,
    in: place,
    ...described(`${field.parent.typeName}.${field.name}`),
    required: place === 'path' || isRequired(field),
    schema: fieldSchema(field, components.input),
    ...(place === 'query' && field.fieldKind === 'list' && { style: 'form', explode: true }),
  });
  const query = new Map(route.flatMap(({ queryFields }) => queryFields).map((field) => [field.jsonName, field]));
  return [
    ...first.pathFields.map((field) => parameter(field, 'path')),
    ...[...query.values()].map((field) => parameter(field, 'query')),
    ...(first.isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function bodyOf({ body, pathFields, rpc }: Endpoint, components: Components): Schema | undefined {
  if (body === undefined) return undefined;
  const message = body === '*' ? rpc.input : body.message;
  if (!message) return undefined;
  const schema = components.input(message, pathFields);
  const fields = message.fields.filter((field) => !pathFields.includes(field));
  const example = exampleOf(schema, components.all());
  return {
    required: fields.some(isRequired) || (body !== '*' && isRequired(body)),
    content: { 'application/json': { schema, example } },
  };
}

const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const commonHeaders = { 'X-Request-Id': headerRef('RequestId') };
const limitHeaders = { RateLimit: headerRef('RateLimit'), 'RateLimit-Policy': headerRef('RateLimitPolicy') };

function successOf(route: Route, components: Components): Schema {
  const [{ successStatus, location, isIdempotent, rpc }] = route;
  const headers = {
    ...commonHeaders,
    ...limitHeaders,
    ...(location !== '' && { Location: headerRef('Location') }),
    ...(isIdempotent && { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') }),
  };
  const description = comments[rpc.output.typeName] ?? 'Success.';
  if (successStatus === 204) return { 204: { description, headers } };
  const content = Object.fromEntries(
    route.flatMap((endpoint) => endpoint.mediaTypes.map((type) => [type, mediaOf(endpoint, type, components)])),
  );
  return { [successStatus]: { description, headers, content } };
}

function mediaOf({ rpc }: Endpoint, type: string, components: Components): Schema {
  if (type === 'application/json') {
    const schema = components.output(rpc.output);
    return { schema, example: exampleOf(schema, components.all()) };
  }
  return { schema: type.endsWith('+json') ? { type: 'object' } : { type: 'string' } };
}

function problemsOf(route: Route): Schema {
  return Object.fromEntries(
    [...refusalsOf(route)].map(([status, reasons]) => [status, problemResponse(status, reasons)]),
  );
}

/** Refusals that pass by themselves: they may say when to try again. */
const passing: readonly ReasonName[] = [
  'RATE_LIMITED',
  'UNAVAILABLE',
  'SCAN_NOT_COMPLETED',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
];

function problemResponse(status: number, reasons: readonly ReasonName[]): Schema {
  const codes = reasons.map((reason) => reason.toLowerCase());
  const examples = reasons.map((reason) => [reason.toLowerCase(), { value: problemExample(reason) }]);
  return {
    description: reasons.map((reason) => `\`${reason.toLowerCase()}\``).join(', '),
    headers: {
      ...commonHeaders,
      ...limitHeaders,
      ...(reasons.some((reason) => passing.includes(reason)) && { 'Retry-After': headerRef('RetryAfter') }),
      ...(status === 401 && { 'WWW-Authenticate': headerRef('WwwAuthenticate') }),
    },
    content: {
      [problemType]: {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
