import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Endpoint, endpointsOf } from '../../gateway/endpoints.ts';
import { exampleOf } from '../../gateway/openapi/examples.ts';
import { createComponents } from '../../gateway/openapi/schemas.ts';
import { idempotencyKeyPattern } from '../../kit/idempotency-key.ts';
import { type Field, field as fieldOption } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { createOrg } from './support/orgs.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

/** A value just outside of a limit of one field of a request. */
type Excess = { limit: string; value: unknown };
type Place = { endpoint: Endpoint; names: string[]; field: DescField; isQuery: boolean };

const test = suite('limits of the contract', {} as World & { key: string });
test.before(async (context) => {
  const world = await startWorld();
  Object.assign(context, world, { key: (await createOrg(world)).key });
});
test.after((world) => world.close());

/** One step beyond each limit that an option states. */
function excessesOf({ min, max, minLength, maxLength, pattern, required }: Field, example: string): Excess[] {
  const long = (length: number) => example.padEnd(length, 'a');
  return [
    ...(min === undefined ? [] : [{ limit: `at least ${min}`, value: min - 1 }]),
    ...(max === undefined ? [] : [{ limit: `at most ${max}`, value: max + 1 }]),
    ...(maxLength === 0 ? [] : [{ limit: `at most ${maxLength} characters`, value: long(maxLength + 1) }]),
    ...(minLength < 2 ? [] : [{ limit: `at least ${minLength} characters`, value: 'A'.repeat(minLength - 1) }]),
    ...(pattern === '' ? [] : [{ limit: `matches ${pattern}`, value: '\u0001\u{1f600}' }]),
    ...(required ? [{ limit: 'required', value: undefined }] : []),
  ];
}

function placesOf(endpoint: Endpoint): Place[] {
  const { rpc, body, queryFields, pathFields } = endpoint;
  const message = body === '*' ? rpc.input : body?.message;
  const inQuery = queryFields.map((field) => ({ endpoint, names: [field.jsonName], field, isQuery: true }));
  if (!message) return inQuery;
  const inBody = fieldsOf(message).filter(({ field }) => !pathFields.includes(field));
  return [...inQuery, ...inBody.map((each) => ({ endpoint, isQuery: false, ...each }))];
}

function fieldsOf(message: DescMessage, above: string[] = []): { names: string[]; field: DescField }[] {
  return message.fields.flatMap((field) => {
    const names = [...above, field.jsonName];
    const isOurs = field.fieldKind === 'message' && field.message.typeName.startsWith('scanaudit.');
    return [{ names, field }, ...(isOurs ? fieldsOf(field.message, names) : [])];
  });
}

/** A request that is right, but for one value: where a oneof has to be chosen, the one that the value is in. */
function bodyWith({ endpoint, names }: Place, value: unknown): unknown {
  const components = createComponents();
  const message = endpoint.body === '*' ? endpoint.rpc.input : endpoint.body?.message;
  if (!message) return undefined;
  const schema = components.input(message, endpoint.pathFields);
  const body = exampleOf(schema, components.all()) as Record<string, unknown>;
  const rivals = message.oneofs.filter(({ fields }) => fields.some(({ jsonName }) => jsonName === names[0]));
  for (const rival of rivals.flatMap(({ fields }) => fields)) delete body[rival.jsonName];
  const nested = message.fields.find(({ jsonName }) => jsonName === names[0])?.message;
  if (names.length > 1 && nested) body[names[0] ?? ''] = exampleOf(components.input(nested), components.all());
  const owner = names.slice(0, -1).reduce<unknown>((inner, name) => fieldOf(inner, name), body);
  (owner as Record<string, unknown>)[names.at(-1) ?? ''] = value;
  return body;
}

async function ask(world: World & { key: string }, place: Place, value: unknown): Promise<[number, string]> {
  const { endpoint, isQuery, names } = place;
  const path = endpoint.path.replace('{domain}', 'example.com').replace(/\{[^}]*\}/g, 'a');
  const query = isQuery && value !== undefined ? `?${new URLSearchParams({ [names[0] ?? '']: String(value) })}` : '';
  const hasBody = !isQuery || endpoint.body !== undefined;
  const answer = await fetch(`${world.baseUrl}${path}${query}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${world.key}`, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(bodyWith(place, value)) }),
  });
  return [answer.status, await answer.text()];
}

const places = endpointsOf().flatMap(placesOf);

for (const place of places) {
  const { endpoint, names, field } = place;
  const option = getOption(field, fieldOption);
  const at = `${endpoint.method} ${endpoint.path} ${names.join('.')}`;
  const wrap = (value: unknown) => (field.fieldKind === 'list' && value !== undefined ? [value] : value);
  for (const { limit, value } of excessesOf(option, option.example)) {
    test(`${at}, ${limit}: what is beyond is refused`, async (world) => {
      const [status, text] = await ask(world, place, wrap(value));
      assert.is(status, 400, text);
      const { errors } = JSON.parse(text) as { errors: { field: string }[] };
      assert.match(errors[0]?.field ?? '', names.at(-1) ?? '', text);
    });
  }
  if (option.maxItems > 0)
    test(`${at}, at most ${option.maxItems} items: one more is refused`, async (world) => {
      const [status, text] = await ask(world, place, Array(option.maxItems + 1).fill(option.example));
      assert.is(status, 400, text);
    });
}

test('there are limits, and they are tried', () => {
  assert.ok(places.some(({ field }) => getOption(field, fieldOption).max === 100));
  assert.ok(places.filter(({ field }) => getOption(field, fieldOption).required).length > 5);
});

test('the Idempotency-Key has 1 to 255 characters', async (world) => {
  const form = new RegExp(idempotencyKeyPattern);
  const status = async (key: string) => {
    const headers = { 'idempotency-key': key };
    return (await world.rest('ScanService/StartScan', { url: 'example.com' }, { key: world.key, headers })).status;
  };
  for (const length of [1, 255, 256]) {
    const key = 'k'.repeat(length);
    assert.is(form.test(key), length < 256);
    assert.is(await status(key), length < 256 ? 201 : 400);
  }
});

test.run();
