import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { given } from '../../../core/fields.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { inRunningRun } from '../../../core/runs/in-run.ts';
import { findPermissions, recordPermissions } from '../../../core/runs/permissions.ts';
import { createReportCache, getReport } from '../../../core/scans/get-report.ts';
import { type Permissions, RecordPermissionsRequestSchema } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { own, row, samplePermissions, toLogin } from '../report/sample-permissions.ts';
import { checked, completeRun, newOrg, openDatabase, refusal } from '../scans/support.ts';

const { em, close } = await openDatabase();

async function running() {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  return { org, runId };
}

const store = (runId: string, permissions: Permissions | undefined) =>
  checked(RecordPermissionsRequestSchema, { runId, ...(permissions && { permissions }) }).then((request) =>
    inRunningRun(em, runId, (tx, scan) => recordPermissions(tx, scan, given(request.permissions))),
  );
const read = (orgId: string, runId: string) => inOrg(em, orgId, (tx) => findPermissions(tx, runId));

const test = suite('recording of the permission matrix');

test('it comes back as it was recorded, the last one of a run', async () => {
  const { org, runId } = await running();
  assert.is(await read(org.orgId, runId), undefined);
  await store(runId, samplePermissions([row('/a', '/a', ['a'], [toLogin, own, own, own])]));
  await store(runId, samplePermissions());
  assert.equal(await read(org.orgId, runId), samplePermissions());
});

test('another org does not see it', async () => {
  const [{ runId }, other] = [await running(), await newOrg(em)];
  await store(runId, samplePermissions());
  assert.is(await read(other.orgId, runId), undefined);
});

test('it stands in the report of the completed scan', async () => {
  const { org, runId } = await running();
  await store(runId, samplePermissions());
  await completeRun(em, runId);
  const html = (await getReport(em, createReportCache(), org.orgId, runId)).toString();
  assert.match(html, '<code>/api/orders/{id}</code>');
});

test('characters that a database refuses do no harm', async () => {
  const { org, runId } = await running();
  await store(runId, samplePermissions([row('/a', '/a', [], [{ detail: 'a\0b' }, own, own, own])]));
  assert.is((await read(org.orgId, runId))?.addresses[0]?.permissions[0]?.detail, 'a\ufffdb');
});

const cells = [toLogin, own, own, own];
const wrong: Record<string, [permissions: Permissions | undefined, field: string]> = {
  'nothing at all': [undefined, 'permissions'],
  'no visitor': [{ ...samplePermissions([]), visitors: [] }, 'permissions.visitors'],
  'more addresses than 200': [
    samplePermissions(Array.from({ length: 201 }, () => row('/a', '/a', [], cells))),
    'permissions.addresses',
  ],
  'an address without a cell for each visitor': [
    samplePermissions([row('/a', '/a', [], cells.slice(1))]),
    'permissions.addresses[0].permissions',
  ],
  'an address without a URL': [
    samplePermissions([{ route: '/a', permissions: cells }]),
    'permissions.addresses[0].url',
  ],
  'a text that is longer than any URL': [
    samplePermissions([row('/a', '/a', [], [{ detail: 'x'.repeat(3_000) }, own, own, own])]),
    'permissions.addresses[0].permissions[0].detail',
  ],
  'fewer than no address left out': [{ ...samplePermissions(), leftOut: -1 }, 'permissions.leftOut'],
};
for (const [name, [permissions, field]] of Object.entries(wrong)) {
  test(`refuses ${name}, and names the field`, async () => {
    const { runId } = await running();
    const refused = await refusal(store(runId, permissions), 'INVALID_PARAMETER');
    assert.match(JSON.stringify(refused), JSON.stringify(field));
  });
}

test('is refused once the run has ended', async () => {
  const { runId } = await running();
  await completeRun(em, runId);
  await refusal(store(runId, samplePermissions()), 'RUN_NOT_RUNNING');
});

test.after(close);
test.run();
