import { type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { openHeaders } from '../../../core/domains/scope-headers.ts';
import { AuditLogEntrySchema, AuditLogService } from '../../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService, type ScopeSchema, Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { eventually } from '../../support/processes.ts';
import { testTemporal } from '../../support/servers.ts';
import { approve, isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('the scope of a domain');
test.before(async () => {
  core = await startCore({ temporalAddress: (await testTemporal()).address });
});
test.after(() => core.close());

type ScopeInit = MessageInitShape<typeof ScopeSchema>;

const domain = 'example.com';
const canary = 'canary-header-4711';
const content = JSON.stringify({ openapi: '3.1.0', paths: { '/orders/{id}': { get: {} } } });
const headers = [{ name: 'X-Audit-Pass', value: canary }];
const documents = [{ name: 'orders.json', content }];

async function ownerOf() {
  const org = await newOrg(core);
  await approve(core, org.orgId, domain);
  return { ...org, client: core.as(org.key)(DomainService) };
}

further(test)('headers and documents are stored, and shown without their values and texts', async () => {
  const { client } = await ownerOf();
  const put = await client.putScope({ domain, scope: { headers, documents } });
  const got = await client.getScope({ domain });
  assert.equal(got, put);
  assert.equal(
    got.headers.map(({ name, value }) => [name, value]),
    [['X-Audit-Pass', '']],
  );
  assert.equal(
    got.documents.map(({ name, format, requests, content }) => [name, format, requests, content]),
    [['orders.json', 'openapi', 1, '']],
  );
});

further(test)('what scans may change is in the audit log, and is given to the worker', async () => {
  const { client, key, orgId } = await ownerOf();
  await client.putScope({ domain, scope: { writes: Writes.CREATE } });
  const log = await core.as(key)(AuditLogService).listAuditLog({});
  const [entry] = log.items.filter(({ action }) => action === 'scope.put');
  assert.equal(
    entry?.detail.filter(({ name }) => name === 'writes').map(({ value }) => value),
    ['create'],
  );
  const { runs, runId } = await runningScan({ orgId, key });
  assert.is((await runs.getRun({ runId })).writes, Writes.CREATE);
  await client.putScope({ domain, scope: { writes: Writes.NONE } });
  assert.is((await runs.getRun({ runId })).writes, Writes.NONE);
});

test('who proves a domain again after it was given back gets neither the leave to create nor that to send headers in the clear with it', async () => {
  const { client, orgId } = await ownerOf();
  for (const [given, left] of [
    [Writes.CREATE, Writes.REVERSIBLE],
    [Writes.NONE, Writes.NONE],
  ] as const) {
    await client.putScope({ domain, scope: { writes: given, headersOverHttp: true } });
    await client.deleteDomain({ domain });
    await approve(core, orgId, domain);
    const { writes, headersOverHttp } = await client.getScope({ domain });
    assert.equal([writes, headersOverHttp], [left, false]);
  }
});

test('a domain that is still to be proven has an empty scope, and one that nobody has named has none', async () => {
  const { key } = await newOrg(core);
  const client = core.as(key)(DomainService);
  await isRefused(client.getScope({ domain }), 'NOT_FOUND');
  await client.registerDomain({ domain });
  const { startUrls, excludedPaths, headers: given, documents: texts, writes } = await client.getScope({ domain });
  assert.equal([startUrls, excludedPaths, given, texts, writes], [[], [], [], [], Writes.REVERSIBLE]);
  await isRefused(client.putScope({ domain, scope: {} }), 'NOT_FOUND');
});

test('what is stored is encrypted, and the audit log has names only', async () => {
  const { client, orgId, key } = await ownerOf();
  await client.putScope({ domain, scope: { headers, documents } });
  const rows = await inOrg(core.program.core.em, orgId, async (tx) => [
    await tx.execute('select * from scope_headers'),
    await tx.execute('select * from scope_documents'),
  ]);
  assert.match(JSON.stringify(rows), 'orders.json');
  const log = await core.as(key)(AuditLogService).listAuditLog({});
  const entries = log.items.map((entry) => toJsonString(AuditLogEntrySchema, entry)).join();
  assert.match(entries, 'X-Audit-Pass');
  for (const text of [JSON.stringify(rows), entries]) {
    assert.not.match(text, canary);
    assert.not.match(text, '/orders/');
  }
});

further(test)('an answer that is put back changes nothing, and what it leaves out is deleted', async () => {
  const { client, orgId } = await ownerOf();
  await client.putScope({ domain, scope: { headers: [...headers, { name: 'x-b', value: 'b' }], documents } });
  const scope = await client.getScope({ domain });
  assert.equal(await client.putScope({ domain, scope: { ...scope, requestsPerSecond: 5 } }), {
    ...scope,
    requestsPerSecond: 5,
  });
  assert.match(await secretsOf(orgId), canary);
  await client.putScope({ domain, scope: { headers: [{ name: 'x-audit-pass' }] } });
  const left = await client.getScope({ domain });
  assert.equal([left.headers.map(({ name }) => name), left.documents], [['x-audit-pass'], []]);
  assert.match(await secretsOf(orgId), canary);
});

/** A scan of the domain that has begun, and the worker's API for it. */
async function runningScan({ orgId, key }: { orgId: string; key: string }) {
  const { secret } = await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'w' });
  const runs = core.as(secret)(RunService);
  await core.operator(CreditService).grantCredits({ orgId, amount: 5, reason: 'x', idempotencyKey: orgId });
  const { runId } = await core.as(key)(ScanService).startScan({ url: domain });
  const isBegun = () =>
    runs.beginRun({ runId }).then(
      () => true,
      () => false,
    );
  await eventually('the scan is dispatched', isBegun);
  return { runs, runId };
}

/** The values of headers, as core opens them. */
async function secretsOf(orgId: string): Promise<string> {
  const { em, cipher } = core.program.core;
  return inOrg(em, orgId, (tx) => openHeaders(tx, cipher, { orgId, domain }));
}

const refusedScopes: [what: string, scope: ScopeInit, field: string][] = [
  ['a header of the connection', { headers: [{ name: 'Transfer-Encoding', value: 'x' }] }, 'scope.headers[0].name'],
  ['a header of the message', { headers: [{ name: 'content-length', value: '1' }] }, 'scope.headers[0].name'],
  ['the name of the scan', { headers: [{ name: 'X-Scan-Audit-Run', value: '1' }] }, 'scope.headers[0].name'],
  ['a header given twice', { headers: [...headers, { name: 'x-audit-pass', value: '2' }] }, 'scope.headers[1].name'],
  ['a new header without a value', { headers: [{ name: 'x-a' }] }, 'scope.headers[0].value'],
  ['a header of two lines', { headers: [{ name: 'x-a', value: 'a\r\nb: c' }] }, 'scope.headers[0].value'],
  ['a new document without a text', { documents: [{ name: 'a' }] }, 'scope.documents[0].content'],
  ['a document that is none', { documents: [{ name: 'a', content: 'Dear all' }] }, 'scope.documents[0].content'],
  ['two documents of one name', { documents: [...documents, ...documents] }, 'scope.documents'],
  ['more than 8 MiB', { documents: [{ name: 'a', content: ' '.repeat(8 * 1024 * 1024 + 1) }] }, 'scope.documents'],
];
for (const [what, scope, field] of refusedScopes) {
  test(`${what} is refused by field, and nothing is changed`, async () => {
    const { client } = await ownerOf();
    const given = { startUrls: ['https://example.com/app'], ...scope };
    const error = await refused(client.putScope({ domain, scope: given as ScopeInit }));
    assert.is(error.reason, 'INVALID_PARAMETER');
    assert.match(error.rawMessage, field);
    assert.equal((await client.getScope({ domain })).startUrls, []);
  });
}

test('nothing of it is left when the domain is given back', async () => {
  const { client, orgId } = await ownerOf();
  await client.putScope({ domain, scope: { headers, documents } });
  await client.deleteDomain({ domain });
  await approve(core, orgId, domain);
  const { headers: left, documents: described } = await client.getScope({ domain });
  assert.equal([left, described], [[], []]);
});

test('a worker opens them for a running scan of the domain, and for no other', async () => {
  const [org, other] = [await ownerOf(), await ownerOf()];
  await org.client.putScope({ domain, scope: { headers, documents } });
  const [{ runs: worker, runId }, { runId: foreign }] = [await runningScan(org), await runningScan(other)];
  const context = await worker.getRun({ runId });
  assert.equal([context.headerNames, context.documents], [['X-Audit-Pass'], ['orders.json']]);
  const open = async (run: string, ref: string) => (await worker.openSecret({ runId: run, ref })).value;
  assert.equal(JSON.parse(await open(runId, 'scope:headers')), [['X-Audit-Pass', canary]]);
  assert.match(await open(runId, 'scope:document:orders.json'), '/orders/{id}');
  assert.is(await open(foreign, 'scope:headers'), '[]');
  await isRefused(open(foreign, 'scope:document:orders.json'), 'NOT_FOUND');
  await isRefused(worker.putSecret({ runId, ref: 'scope:headers', value: 'x' }), 'INVALID_PARAMETER');
});

test.run();
