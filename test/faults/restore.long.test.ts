import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from '../../core/build.ts';
import { migrate } from '../../core/db/migrate.ts';
import { createOrm } from '../../core/db/orm.ts';
import { inOrg } from '../../core/db/session.ts';
import { drainOutbox } from '../../core/dispatch/outbox.ts';
import { connectTemporal, workflowId } from '../../core/dispatch/temporal.ts';
import { entities } from '../../core/entities.ts';
import { beginRun } from '../../core/runs/begin-run.ts';
import { withClient } from '../../dev/postgres.ts';
import { completeRun, log, newOrg } from '../core/scans/support.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { eventually } from '../support/processes.ts';
import { type Servers, startServers } from '../support/servers.ts';

const encryptionKeys = [{ id: 'test', key: randomBytes(32) }];
const taskQueuePrefix = 'restore';

/** The database of an installation, in a cluster of its own. */
async function openCluster({ addresses }: Servers) {
  const { superuserUrl = '' } = addresses;
  const urlOf = (user?: { username: string; password: string }) =>
    Object.assign(new URL(superuserUrl), { ...user, pathname: '/scan_audit' }).href;
  await withClient(superuserUrl, (superuser) => superuser.query('create database scan_audit owner scan_audit_owner'));
  const urls = {
    superuser: urlOf(),
    owner: urlOf({ username: 'scan_audit_owner', password: 'owner' }),
    app: urlOf({ username: 'scan_audit_app', password: 'app' }),
  };
  await migrate({ ownerUrl: urls.owner, url: urls.app, log });
  return urls;
}

/** Scans in every state that a dump can catch them in. @returns their runs */
async function leaveScansInFlight(appUrl: string, temporalAddress: string) {
  const orm = createOrm({ entities, url: appUrl, log });
  const temporal = connectTemporal({ address: temporalAddress, namespace: 'default', taskQueuePrefix });
  try {
    const org = await newOrg(orm.em);
    const completed = await completeRun(orm.em, await org.startRun('https://a.example.com'));
    const running = await org.startRun('https://b.example.com');
    const dispatched = await org.startRun('https://c.example.com');
    await drainOutbox({ em: orm.em, temporal, log }, new AbortController().signal);
    await beginRun(orm.em, running);
    const behind = await org.startRun('https://b.example.com');
    const accepted = await org.startRun('https://d.example.com');
    return { orgId: org.orgId, completed, running, dispatched, behind, accepted };
  } finally {
    await temporal.close();
    await orm.close(true);
  }
}

const test = suite('a database that was restored while Temporal lost everything');

test('brings every scan to its end, and credit is neither lost nor spent twice', async () => {
  const [before, after] = await Promise.all([
    startServers(['postgres', 'temporal']),
    startServers(['postgres', 'temporal']),
  ]);
  const connection = await Connection.connect({ address: after.addresses.temporalAddress ?? '' });
  try {
    const old = await openCluster(before);
    const runs = await leaveScansInFlight(old.app, before.addresses.temporalAddress ?? '');
    const urls = await openCluster(after);
    await copyDatabase(old.superuser, urls.superuser);
    // A dump is older than its restoration.
    const aging = `update scans set dispatched_at = dispatched_at - interval '1 hour'`;
    await withClient(urls.superuser, (superuser) => superuser.query(aging));

    const program = build({
      databaseUrl: urls.app,
      temporal: { address: after.addresses.temporalAddress ?? '', namespace: 'default', taskQueuePrefix },
      encryptionKeys,
      log,
    });
    const { em } = program.core;
    const statusOf = (runId: string) =>
      inOrg(em, runs.orgId, async (tx) => {
        const sql = 'select status, failure_code as code, credits from scans where run_id = ?';
        const [row] = await tx.execute<{ status: string; code: string; credits: number }[]>(sql, [runId]);
        return row;
      });
    try {
      const hasEnded = async () => (await statusOf(runs.running))?.status === 'failed';
      await eventually('the scan that ran is ended', hasEnded, 60_000);
      assert.equal(await statusOf(runs.running), { status: 'failed', code: 'interrupted', credits: 0 });
      const { workflow } = new Client({ connection });
      const isStarted = (runId: string) =>
        workflow
          .getHandle(workflowId(runId))
          .describe()
          .then(
            () => true,
            () => false,
          );
      for (const runId of [runs.dispatched, runs.behind, runs.accepted]) {
        await eventually('a scan that had not begun is given to the new Temporal', () => isStarted(runId), 60_000);
        await completeRun(em, runId);
      }
      assert.is((await statusOf(runs.completed))?.status, 'completed');
      assert.not.ok(await isStarted(runs.completed), 'what had ended is not begun again');
      const [sums] = await inOrg(em, runs.orgId, (tx) =>
        tx.execute<object[]>(
          `select available, reserved, (select sum(amount)::integer from ledger_entries) as total,
             (select count(*)::integer from scans where finished_at is null) as unfinished,
             (select count(*)::integer from credit_holds where state = 'held') as held from credit_accounts`,
        ),
      );
      assert.equal(sums, { available: 100 - 4, reserved: 0, total: 0, unfinished: 0, held: 0 });
    } finally {
      await program.close();
    }
  } finally {
    await connection.close();
    before.close();
    after.close();
  }
});

test.run();
