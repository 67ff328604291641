import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseEndpoint, mediaTypesOf } from '../../gateway/accept.ts';
import { endpointsOf, routesOf } from '../../gateway/endpoints.ts';

const test = suite('routesOf');

const findings = routesOf().find(([{ path }]) => path === '/api/v1/scans/{run_id}/findings');

test('puts endpoints together that share method and path, in the order of the contract', () => {
  assert.equal(
    findings?.map(({ rpc }) => rpc.name),
    ['ListFindings', 'ExportFindings'],
  );
  assert.equal(findings && mediaTypesOf(findings), ['application/json', 'application/sarif+json']);
  const scans = routesOf().filter(([{ path }]) => path === '/api/v1/scans');
  assert.equal(
    scans.map(([{ method }]) => method),
    ['POST', 'GET'],
  );
});

test('every endpoint is in one route', () => {
  assert.equal(
    routesOf()
      .flat()
      .map(({ rpc }) => rpc.name)
      .sort(),
    endpointsOf()
      .map(({ rpc }) => rpc.name)
      .sort(),
  );
});

test('refuses two endpoints for one media type, since no header could choose', () => {
  const [scan] = endpointsOf().filter(({ rpc }) => rpc.name === 'GetScan');
  assert.ok(scan);
  assert.throws(() => routesOf([scan, scan]), 'two RPCs for one media type');
});

test('the Accept header chooses the endpoint, and the first one is the default', () => {
  assert.ok(findings);
  const chosen = (accept?: string) => chooseEndpoint(accept, findings)?.rpc.name;
  assert.is(chosen(), 'ListFindings');
  assert.is(chosen('*/*'), 'ListFindings');
  assert.is(chosen('application/sarif+json'), 'ExportFindings');
  assert.is(chosen('application/json;q=0.1, application/sarif+json;q=0.2'), 'ExportFindings');
  assert.is(chosen('text/html'), undefined);
});

test.run();
