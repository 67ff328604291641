import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { schemaErrors } from '../core/findings/sarif-schema.ts';
import { createOrg, issueKey, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { outcomeOf } from './support/rest.ts';
import { complete, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('GET /api/v1/scans/:id/findings as SARIF', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [
    { severity: 'low' },
    { severity: 'high', path: '/a' },
    { severity: 'high', path: '/b' },
  ]);
});
test.after((world) => world.close());

type Asking = { accept?: string; query?: string; runId?: string; key?: string };

async function ask(context: Context, { accept = 'application/sarif+json', query = '', ...more }: Asking = {}) {
  const { runId = context.runId, key = context.org.key } = more;
  const headers = { accept, ...(key !== '' && { authorization: `Bearer ${key}` }) };
  return outcomeOf(await fetch(`${context.baseUrl}/api/v1/scans/${runId}/findings${query}`, { headers }));
}

test('is a valid log of every finding, worst first', async (context) => {
  const { status, body, header } = await ask(context);
  assert.is(status, 200);
  assert.is(header('content-type'), 'application/sarif+json');
  assert.equal(schemaErrors(body), []);
  const uris = listOf(body, 'runs.0.results').map((result) =>
    fieldOf(result, 'locations.0.physicalLocation.artifactLocation.uri'),
  );
  assert.equal(uris.toSorted(), ['example.com', 'example.com/a', 'example.com/b']);
  assert.is(uris[2], 'example.com');
  assert.is(fieldOf(body, 'runs.0.properties.runId'), context.runId);
});

test('takes the filters of the list, and no page', async (context) => {
  const high = await ask(context, { query: '?minSeverity=medium' });
  assert.is(listOf(high.body, 'runs.0.results').length, 2);
  assert.is(listOf((await ask(context, { query: '?severity=low' })).body, 'runs.0.results').length, 1);
  assertRefused(await ask(context, { query: '?severity=worst' }), 'rest', 'INVALID_PARAMETER');
  assertRefused(await ask(context, { query: '?limit=1' }), 'rest', 'INVALID_PARAMETER');
});

test('is served only to who prefers it: the default is JSON', async (context) => {
  for (const accept of ['*/*', 'application/*', 'application/json', 'application/sarif+json;q=0.5, application/json']) {
    const outcome = await ask(context, { accept });
    assert.match(outcome.header('content-type') ?? '', /^application\/json\b/, accept);
    assert.is(listOf(outcome.body, 'items').length, 3);
    assert.is(outcome.header('vary'), 'accept');
  }
  for (const accept of ['application/sarif+json, application/json;q=0.9', 'application/sarif+json;q=0.1, text/html']) {
    const outcome = await ask(context, { accept });
    assert.is(outcome.header('content-type'), 'application/sarif+json', accept);
    assert.is(outcome.header('vary'), 'accept');
  }
});

test('nothing else is served there', async (context) => {
  for (const accept of ['text/html', 'application/sarif+json;q=0', 'application/xml']) {
    const outcome = await ask(context, { accept });
    assert.is(outcome.status, 406, accept);
    const { detail } = JSON.parse(outcome.text) as { detail: string };
    assert.match(detail, 'Send "Accept: application/json" or "Accept: application/sarif+json".');
  }
});

test('is refused like the list: without a key, without the scope, for unknown and for unfinished scans', async (context) => {
  assertRefused(await ask(context, { key: '' }), 'rest', 'MISSING_KEY');
  assertRefused(await ask(context, { accept: 'text/html', key: '' }), 'rest', 'MISSING_KEY');
  const writer = await issueKey(context, context.org.orgId, { scopes: ['scans:write'] });
  assertRefused(await ask(context, { key: writer }), 'rest', 'INSUFFICIENT_SCOPE');
  assertRefused(await ask(context, { runId: '01890000-0000-7000-8000-000000000000' }), 'rest', 'NOT_FOUND');
  const stranger = await createOrg(context);
  assertRefused(await ask(context, { key: stranger.key }), 'rest', 'NOT_FOUND');
  const unfinished = await ask(context, { runId: await start(context, context.org) });
  assertRefused(unfinished, 'rest', 'SCAN_NOT_COMPLETED');
  assert.is(fieldOf(unfinished.body, 'scanStatus'), 'queued');
});

test('is the same log over gRPC', async (context) => {
  const { org, runId } = context;
  const rest = await ask(context);
  const grpc = await context.grpc('ScanService/ExportFindings', { runId }, { key: org.key });
  assert.is(fieldOf(grpc.body, 'contentType'), 'application/sarif+json');
  assert.is(Buffer.from(fieldOf(grpc.body, 'content') as Uint8Array).toString(), rest.text);
});

test('the path allows GET and HEAD, each named once', async ({ baseUrl, org, runId }) => {
  const headers = { authorization: `Bearer ${org.key}` };
  const answer = await fetch(`${baseUrl}/api/v1/scans/${runId}/findings`, { method: 'DELETE', headers });
  assert.is(answer.status, 405);
  assert.is(answer.headers.get('allow'), 'GET, HEAD');
});

test.run();
