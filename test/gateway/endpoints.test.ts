import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpointsOf } from '../../gateway/endpoints.ts';
import { file_health_v1_health } from '../../proto/gen/health/v1/health_pb.ts';

const test = suite('endpointsOf');
const endpoints = endpointsOf();
const find = (method: string, path: string) =>
  endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
const names = (fields: readonly { jsonName: string }[] | undefined) => fields?.map(({ jsonName }) => jsonName);

test('serves every endpoint of the specification', () => {
  for (const [method, path] of [
    ['GET', '/api/v1/scans'],
    ['POST', '/api/v1/scans'],
    ['GET', '/api/v1/scans/{run_id}'],
    ['GET', '/api/v1/scans/{run_id}/findings'],
    ['GET', '/api/v1/scans/{run_id}/report'],
    ['GET', '/api/v1/scans/{run_id}/gate'],
  ] as const) {
    assert.ok(find(method, path), `${method} ${path}`);
  }
});

test('serves no RPC without a route: not those of operators and workers', () => {
  const services = new Set(endpoints.map(({ rpc }) => `${rpc.parent.name}/${rpc.name}`));
  for (const name of ['KeyService/IssueKey', 'RunService/BeginRun', 'AccessService/Check', 'OrgService/CreateOrg']) {
    assert.not(services.has(name), name);
  }
  assert.equal(endpointsOf([file_health_v1_health]), []);
});

test('takes each field from one place only', () => {
  const start = find('POST', '/api/v1/scans');
  assert.is(start?.body, '*');
  assert.equal(names(start?.queryFields), []);
  const findings = find('GET', '/api/v1/scans/{run_id}/findings');
  assert.equal(names(findings?.pathFields), ['runId']);
  assert.equal(names(findings?.queryFields), ['severity', 'minSeverity', 'state', 'limit', 'cursor']);
  const login = find('PUT', '/api/v1/domains/{domain}/logins/{name}');
  assert.equal(names(login?.pathFields), ['domain', 'name']);
  assert.equal(names(login?.queryFields), []);
});

test('reads status, Location, media types and idempotency from the options', () => {
  const start = find('POST', '/api/v1/scans');
  assert.is(start?.successStatus, 201);
  assert.is(start?.location, '/api/v1/scans/{run_id}');
  assert.is(start?.isIdempotent, true);
  assert.equal(find('GET', '/api/v1/scans/{run_id}/report')?.mediaTypes, ['text/html']);
  assert.equal(find('GET', '/api/v1/scans')?.mediaTypes, ['application/json']);
  assert.is(find('DELETE', '/api/v1/domains/{domain}/logins/{name}')?.successStatus, 204);
});

test.run();
