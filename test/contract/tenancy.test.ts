import { randomUUID } from 'node:crypto';
import { create, type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newKey } from '../../core/keys/format.ts';
import { createServices } from '../../core/services.ts';
import { type Endpoint, endpointsOf } from '../../gateway/endpoints.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { ErrorInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';
import { access, KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { further } from '../support/further.ts';
import { createOrg, issueKey, issueServiceKey, keyIdOf } from './support/orgs.ts';
import { withoutRequestId } from './support/refusals.ts';
import { outcomeOf } from './support/rest.ts';
import { complete } from './support/scans.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

/** Everything that is served, from the contract itself: what is added tomorrow is tried tomorrow. */
const methods = createServices()
  .flatMap(({ desc }) => desc.methods)
  .filter((method) => !getOption(method, access).public);
const routes = endpointsOf();

type Keys = Record<
  'malformed' | 'unknown' | 'revoked' | 'expired' | 'noScopes' | 'service' | 'worker' | 'operator',
  string
>;
type Context = World & { keys: Keys };
const test = suite('who may call what', {} as Context);

test.before(async (context) => {
  Object.assign(context, await startWorld());
  const org = await createOrg(context);
  const revoked = await issueKey(context, org.orgId);
  await context.operate('KeyService/RevokeKey', { keyId: keyIdOf(revoked) });
  const expiresAt = new Date(Date.now() + 1_500).toISOString();
  context.keys = {
    malformed: 'sa_0000',
    unknown: newKey().text,
    revoked,
    expired: await issueKey(context, org.orgId, { expiresAt }),
    noScopes: await issueKey(context, org.orgId, { scopes: [] }),
    service: await issueServiceKey(context, []),
    worker: context.workerKey,
    operator: context.operatorKey,
  };
  await new Promise((resolve) => setTimeout(resolve, 1_600));
});
test.after((world) => world.close());

/** The reason for which an empty call of a method is refused; "OK" when it is not. */
async function reasonOf({ coreUrl }: World, method: DescMethod, key?: string): Promise<string> {
  const clients = rpcClients({ baseUrl: coreUrl, ...(key !== undefined && { key }) });
  try {
    await callEmpty(clients(method.parent), method);
    return 'OK';
  } catch (error) {
    const refusal = ConnectError.from(error);
    return refusal.findDetails(ErrorInfoSchema)[0]?.reason ?? Code[refusal.code];
  }
}

async function callEmpty(client: Client<DescService>, method: DescMethod): Promise<void> {
  const call = (client as Record<string, (input: unknown) => unknown>)[method.localName];
  const message = create(method.input);
  const isInputStream = method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming';
  const answer = call?.(isInputStream ? one(message) : message);
  if (method.methodKind === 'server_streaming') for await (const _ of answer as AsyncIterable<unknown>);
  else await answer;
}

async function* one<T>(message: T): AsyncIterable<T> {
  yield message;
}

/** The code that a route refuses with; "OK" when it does not. Path and body say nothing that exists. */
async function codeOf({ baseUrl }: World, endpoint: Endpoint, key?: string): Promise<string> {
  return (await outcomeOf(await send(baseUrl, endpoint, key))).reason;
}

function send(
  baseUrl: string,
  { method, path, body, rpc }: Endpoint,
  key?: string,
  fill = (_: string): string => 'nothing',
) {
  const url = baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill(name)));
  return fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(bodies[rpc.name] ?? {}) }),
  });
}

/** Bodies that would do, for routes that refuse an empty one. */
const bodies: Record<string, object> = { UpdateFinding: { state: 'open' }, PutLogin: { bearer: 'x' } };

const nameOf = ({ parent, name }: DescMethod) => `${parent.name}/${name}`;
const invalid = ['malformed', 'unknown', 'revoked', 'expired'] as const;

test('there are RPCs and routes to try', () => {
  assert.ok(methods.length > 40 && routes.length > 20, `${methods.length} ${routes.length}`);
});

further(test)(
  'no RPC answers without a key, or with one that is malformed, unknown, revoked or expired',
  async (world) => {
    for (const method of methods) {
      assert.is(await reasonOf(world, method), 'MISSING_KEY', nameOf(method));
      for (const name of invalid)
        assert.is(await reasonOf(world, method, world.keys[name]), 'INVALID_KEY', `${nameOf(method)} ${name}`);
    }
  },
);

test('no route answers without a key, or with one that is malformed, unknown, revoked or expired', async (world) => {
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    assert.is(await codeOf(world, route), 'MISSING_KEY', name);
    for (const key of invalid) assert.is(await codeOf(world, route, world.keys[key]), 'INVALID_KEY', `${name} ${key}`);
  }
});

test('no RPC and no route answers a key without its scope', async (world) => {
  for (const method of methods) {
    const { scope, kinds } = getOption(method, access);
    if (scope === '') continue;
    if (kinds.includes(KeyKind.ORG))
      assert.is(await reasonOf(world, method, world.keys.noScopes), 'INSUFFICIENT_SCOPE', nameOf(method));
    if (kinds.includes(KeyKind.SERVICE))
      assert.is(await reasonOf(world, method, world.keys.service), 'INSUFFICIENT_SCOPE', nameOf(method));
  }
  for (const route of routes)
    assert.is(await codeOf(world, route, world.keys.noScopes), 'INSUFFICIENT_SCOPE', `${route.method} ${route.path}`);
});

test('no RPC answers a key of another kind than those that it is for', async (world) => {
  const keys = [
    [KeyKind.ORG, world.keys.noScopes],
    [KeyKind.SERVICE, world.keys.service],
    [KeyKind.WORKER, world.keys.worker],
    [KeyKind.OPERATOR, world.keys.operator],
  ] as const;
  for (const method of methods) {
    const { kinds } = getOption(method, access);
    assert.ok(kinds.length > 0, nameOf(method));
    for (const [kind, key] of keys) {
      if (kinds.includes(kind)) continue;
      assert.is(await reasonOf(world, method, key), 'WRONG_KEY_KIND', `${nameOf(method)} ${key.slice(0, 11)}`);
    }
  }
});

test("what is another org's is answered byte for byte as what is nobody's", async (world) => {
  const [mine, other] = [await createOrg(world), await createOrg(world, { domains: ['other.example'] })];
  const key = await issueKey(world, mine.orgId, {
    scopes: ['scans:read', 'scans:write', 'findings:write', 'domains:write', 'keys:write', 'org:write'],
  });
  const runId = await complete(world, other, [{ severity: 'high' }], { url: 'other.example' });
  const { body } = await world.rest('ScanService/ListFindings', { runId }, other);
  const login = { domain: 'other.example', name: 'a', login: { bearer: 'x' } };
  assert.is((await world.rest('DomainService/PutLogin', login, other)).reason, 'OK');
  const foreign: Record<string, string> = {
    run_id: runId,
    key_id: keyIdOf(other.key),
    fingerprint: String(fieldOf(body, 'items.0.fingerprint')),
    domain: 'other.example',
    name: 'a',
  };
  const unknown: Record<string, string> = {
    run_id: randomUUID(),
    key_id: 'zzzzzzzz',
    fingerprint: 'e'.repeat(32),
    domain: 'nobody.example',
    name: 'a',
  };
  const withIds = routes.filter(({ pathFields }) => pathFields.length > 0);
  for (const route of withIds) {
    const name = `${route.method} ${route.path}`;
    for (const { name: field } of route.pathFields) assert.ok(field in foreign, `${name}: give a foreign ${field}`);
    const ask = async (values: Record<string, string>) =>
      outcomeOf(await send(world.baseUrl, route, key, (field) => values[field] ?? ''));
    const [theirs, nobodys] = [await ask(foreign), await ask(unknown)];
    assert.equal([theirs.reason, nobodys.reason], ['NOT_FOUND', 'NOT_FOUND'], name);
    assert.is(withoutRequestId(theirs), withoutRequestId(nobodys), name);
  }
});

test.run();
