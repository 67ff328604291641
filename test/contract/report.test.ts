import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete } from './support/scans.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('GET /api/v1/scans/:id/report', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [{ severity: 'high' }, { severity: 'low' }]);
});
test.after((world) => world.close());

test('is one HTML page with every finding, and what is said in it is text', async ({ org, runId, ...world }) => {
  const { status, text, header } = await world.rest('ScanService/GetReport', { runId }, { key: org.key });
  assert.is(status, 200);
  assert.is(header('content-type'), 'text/html; charset=utf-8');
  assert.match(text, /^<!doctype html>/i);
  for (const severity of ['high', 'low']) {
    assert.match(text, `Finding &lt;b&gt;${severity}&lt;/b&gt; at /`);
    assert.not.match(text, `<b>${severity}</b>`);
  }
});

test('needs nothing from anywhere, and may not load or run anything', async ({ org, runId, ...world }) => {
  const { text, header } = await world.rest('ScanService/GetReport', { runId }, { key: org.key });
  assert.not.match(text, /<script|<link[^>]+stylesheet|<iframe|\son\w+=|src="http/i);
  const policy = header('content-security-policy') ?? '';
  assert.match(policy, "default-src 'none'");
  assert.not.match(policy, 'script-src');
  assert.is(header('x-content-type-options'), 'nosniff');
  assert.is(header('cache-control'), 'no-store');
});

test('is the same document over gRPC', async ({ org, runId, ...world }) => {
  const rest = await world.rest('ScanService/GetReport', { runId }, { key: org.key });
  const grpc = await world.grpc('ScanService/GetReport', { runId }, { key: org.key });
  assert.is(fieldOf(grpc.body, 'contentType'), 'text/html; charset=utf-8');
  assert.is(Buffer.from(fieldOf(grpc.body, 'content') as Uint8Array).toString(), rest.text);
});

test('is served to who accepts HTML, and to nobody who does not', async ({ org, runId, ...world }) => {
  const ask = (accept: string) => world.rest('ScanService/GetReport', { runId }, { key: org.key, headers: { accept } });
  for (const accept of ['text/html', 'text/*', '*/*', 'application/json;q=0.5, text/html;q=0.1']) {
    assert.is((await ask(accept)).status, 200, accept);
  }
  for (const accept of ['application/json', 'application/pdf', 'text/html;q=0']) {
    const outcome = await ask(accept);
    assert.is(outcome.status, 406, accept);
    assert.is(outcome.reason, 'NOT_ACCEPTABLE');
  }
});

test('takes no parameters', async ({ org, runId, ...world }) => {
  const outcome = await world.rest('ScanService/GetReport', { runId, format: 'pdf' }, { key: org.key });
  assertRefused(outcome, 'rest', 'INVALID_PARAMETER');
});

test.run();
