import { ApplicationFailure } from '@temporalio/common';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FinishInput, PartInput, PermissionsInput, ScanPlan } from '../../../workflows/model/tasks.ts';
import { openStage, type Stage } from '../support/temporal.ts';

const scans = suite<{ stage: Stage }>('the permission matrix of a scan');
scans.before(async (context) => {
  context.stage = await openStage();
});
scans.after(({ stage }) => stage.close());

const plan: ScanPlan = { standard: ['headers'], deep: ['deep/access'], logins: ['a'], requestsPerSecond: 100 };

scans('it is made after the surveys and before the deep checks, within the host’s budget', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, {});
  await scan.ended();
  const calls = scan.calls.map(({ name, input }) =>
    name === 'survey' || name === 'runFamily' ? `${name} ${Object.values(input as object)[1]}` : name,
  );
  const place = calls.indexOf('mapPermissions');
  assert.ok(calls.indexOf('survey a') < place && place < calls.indexOf('runFamily deep/access'), calls.join());
  const [{ share }] = scan.of('mapPermissions') as [PermissionsInput];
  assert.is(share.maxRequests, 4_000);
  assert.ok(share.maxConnections <= 5 && share.requestsPerSecond <= 100);
});

scans('a standard scan, and a deep one without test identities, has none', async ({ stage }) => {
  for (const depth of ['standard', 'deep'] as const) {
    const scan = await stage.start({ depth }, { beginRun: async () => ({ ...plan, logins: [] }) });
    await scan.ended();
    assert.equal(scan.of('mapPermissions'), [], depth);
  }
});

scans('one that fails for good is reported in the coverage and does not fail the scan', async ({ stage }) => {
  const mapPermissions = async () => {
    throw ApplicationFailure.create({ type: 'crash', message: 'boom' });
  };
  const scan = await stage.start({ depth: 'deep' }, { mapPermissions });
  await scan.ended();
  assert.is(scan.of('mapPermissions').length, 3);
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(
    [part?.part, part?.omissions],
    ['permissions', [{ code: 'family_lost', subject: 'permissions', count: 1, text: 'boom' }]],
  );
  assert.equal(
    (scan.of('finishRun') as FinishInput[]).map(({ outcome }) => outcome),
    ['completed'],
  );
});

scans('one that says what it has sent costs no more than that', async ({ stage }) => {
  const mapPermissions = async () => {
    throw ApplicationFailure.create({ type: 'login_lost', nonRetryable: true, details: [{ requests: 12 }] });
  };
  const scan = await stage.start({ depth: 'deep' }, { mapPermissions });
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal([part?.part, part?.requests], ['permissions', 12]);
});

scans('a run that core has ended meanwhile is left alone', async ({ stage }) => {
  const mapPermissions = async () => {
    throw ApplicationFailure.create({ type: 'RUN_NOT_RUNNING', nonRetryable: true });
  };
  const scan = await stage.start({ depth: 'deep' }, { mapPermissions });
  await scan.ended();
  assert.equal([scan.of('recordPart'), scan.of('finishRun')], [[], []]);
});

scans.run();
