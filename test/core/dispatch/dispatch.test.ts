import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { startDispatcher } from '../../../core/dispatch/dispatcher.ts';
import { drainOutbox, maxAttempts, reviveParked } from '../../../core/dispatch/outbox.ts';
import { connectTemporal, type Orchestrator, workflowId } from '../../../core/dispatch/temporal.ts';
import { reconcile } from '../../../core/housekeeping/reconcile.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { cancelScan } from '../../../core/scans/cancel-scan.ts';
import { freePort } from '../../../dev/ports.ts';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { testTemporal } from '../../support/servers.ts';
import { completeRun, log, messages, newOrg, openDatabase, type TestOrg } from '../scans/support.ts';

const { address } = await testTemporal();
const { em, close } = await openDatabase();
const taskQueuePrefix = `test-${randomBytes(4).toString('hex')}`;
const temporal = connectTemporal({ address, namespace: 'default', taskQueuePrefix });
const connection = await Connection.connect({ address });
const { workflow } = new Client({ connection });
const signal = new AbortController().signal;
const deps = { em, temporal, log };
const nowhere = connectTemporal({ address: `127.0.0.1:${await freePort()}`, namespace: 'default', taskQueuePrefix });

const describe = (runId: string) => workflow.getHandle(workflowId(runId)).describe();

/** Makes a scan look as if it was dispatched long ago: the reconciler leaves fresh ones alone. */
const age = (org: TestOrg, runId: string) =>
  inOrg(em, org.orgId, (tx) =>
    tx.execute("update scans set dispatched_at = now() - interval '1 hour' where run_id = ?", [runId]),
  );

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('it did not happen within 10 s');
}

const outbox = suite('outbox');

outbox('a start becomes a workflow, once, with what the worker agreed on', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun('www.example.com', Depth.DEEP);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
  const { type, taskQueue, status } = await describe(runId);
  assert.equal([type, taskQueue, status.name], ['scanWorkflow', `${taskQueuePrefix}.workflows`, 'RUNNING']);
  const { history } = await workflow
    .getHandle(workflowId(runId))
    .fetchHistory()
    .then((h) => ({ history: h.events?.[0] }));
  const [payload] = history?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  assert.equal(JSON.parse(Buffer.from(payload?.data ?? []).toString()), { runId, depth: 'deep' });
});

outbox('a start that was delivered before counts as delivered', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await temporal.start(runId, 'standard');
  const before = await describe(runId);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
  assert.is((await describe(runId)).runId, before.runId);
});

outbox('two that drain at once start each workflow once', async () => {
  const org = await newOrg(em);
  const runs: string[] = [];
  for (let index = 0; index < 45; index++) runs.push(await org.startRun(`h${index}.example.com`));
  const started: string[] = [];
  const counting: Orchestrator = {
    ...temporal,
    start: async (runId, depth) => {
      started.push(runId);
      await temporal.start(runId, depth);
    },
  };
  await Promise.all([1, 2].map(() => drainOutbox({ ...deps, temporal: counting }, signal)));
  await drainOutbox({ ...deps, temporal: counting }, signal);
  assert.equal(started.toSorted(), runs.toSorted());
  assert.equal(await messages(em, org.orgId), []);
});

outbox('a message stays when its delivery dies half-way', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  const dying: Orchestrator = {
    ...temporal,
    start: async (id, depth) => {
      await temporal.start(id, depth);
      await em.fork().execute("select pg_terminate_backend(pid) from pg_locks where relation = 'outbox'::regclass");
    },
  };
  await drainOutbox({ ...deps, temporal: dying }, signal).catch(() => {});
  assert.equal(await messages(em, org.orgId), [`start ${runId}`]);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
  assert.is((await describe(runId)).status.name, 'RUNNING');
});

outbox('a message of a kind that only a newer program knows waits for it, and holds no other up', async () => {
  const org = await newOrg(em);
  await inOrg(em, org.orgId, (tx) =>
    tx.execute("insert into outbox (org_id, kind, key, payload) values (?, 'webhook', 'w1', '{}')", [org.orgId]),
  );
  const runId = await org.startRun();
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), ['webhook w1']);
  assert.is((await describe(runId)).status.name, 'RUNNING');
});

outbox('a message that does not say what its kind says is kept, with why', async () => {
  const org = await newOrg(em);
  await inOrg(em, org.orgId, (tx) =>
    tx.execute("insert into outbox (org_id, kind, key, payload) values (?, 'start', 's1', '{}')", [org.orgId]),
  );
  await drainOutbox(deps, signal);
  const [row] = await inOrg(em, org.orgId, (tx) =>
    tx.execute<{ last_error: string }[]>("select last_error from outbox where key = 's1'"),
  );
  assert.match(row?.last_error ?? '', 'runId');
});

type Waiting = { attempts: number; seconds: number | null; last_error: string };
const waiting = (org: TestOrg, key: string) =>
  inOrg(em, org.orgId, async (tx) => {
    const [row] = await tx.execute<Waiting[]>(
      `select attempts, last_error, case when available_at < 'infinity'
         then round(extract(epoch from available_at - clock_timestamp()))::integer end as seconds
       from outbox where key = ?`,
      [key],
    );
    return row;
  });
const makeDue = (org: TestOrg, key: string) =>
  inOrg(em, org.orgId, (tx) =>
    tx.execute("update outbox set available_at = now() where key = ? and available_at < 'infinity'", [key]),
  );

outbox(
  'a message that is refused is tried less and less often, then parked, and tried anew by a core that starts',
  async () => {
    const org = await newOrg(em);
    await inOrg(em, org.orgId, (tx) =>
      tx.execute("insert into outbox (org_id, kind, key, payload) values (?, 'start', 'p1', '{}')", [org.orgId]),
    );
    const delays: (number | null | undefined)[] = [];
    for (let times = 0; times < maxAttempts + 3; times += 1) {
      await makeDue(org, 'p1');
      await drainOutbox(deps, signal);
      delays.push((await waiting(org, 'p1'))?.seconds);
    }
    assert.equal(
      delays
        .slice(0, maxAttempts - 1)
        .map((seconds, times) => Math.abs((seconds ?? 0) - Math.min(2 ** times, 7_200)) <= 2),
      Array(maxAttempts - 1).fill(true),
      delays.join(),
    );
    assert.equal(delays.slice(maxAttempts - 1), [null, null, null, null]);
    const parked = await waiting(org, 'p1');
    assert.equal([parked?.attempts, /runId/.test(parked?.last_error ?? '')], [maxAttempts, true]);
    await reviveParked(deps);
    assert.equal((await waiting(org, 'p1'))?.attempts, 0);
  },
);

outbox('an outage of Temporal counts as no try', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  for (let times = 0; times < 2; times += 1) {
    await makeDue(org, runId);
    await drainOutbox({ ...deps, temporal: nowhere }, new AbortController().signal);
  }
  assert.equal((await waiting(org, runId))?.attempts, 0);
  await makeDue(org, runId);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
});

outbox('a cancel reaches the workflow of a running scan', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await drainOutbox(deps, signal);
  await beginRun(em, runId);
  await cancelScan(em, org.orgId, runId);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
  const { events } = await workflow.getHandle(workflowId(runId)).fetchHistory();
  assert.ok(events?.some(({ workflowExecutionCancelRequestedEventAttributes: asked }) => asked));
});

outbox('a cancel of a workflow that Temporal does not know is done', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await cancelScan(em, org.orgId, runId);
  assert.equal(await messages(em, org.orgId), [`cancel ${runId}`]);
  await drainOutbox(deps, signal);
  assert.equal(await messages(em, org.orgId), []);
  assert.is(await temporal.status(runId), undefined);
});

outbox('waits while Temporal is down, and delivers when it is back', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await drainOutbox({ ...deps, temporal: nowhere }, signal);
  assert.equal(await messages(em, org.orgId), [`start ${runId}`]);
  let isUp = false;
  const flaky: Orchestrator = {
    ...temporal,
    start: (id, depth) => (isUp ? temporal : nowhere).start(id, depth),
    close: async () => {},
  };
  const dispatcher = startDispatcher({ ...deps, temporal: flaky }, 50);
  await sleep(300);
  assert.equal(await messages(em, org.orgId), [`start ${runId}`]);
  isUp = true;
  await until(async () => (await messages(em, org.orgId)).length === 0);
  await dispatcher.stop();
  assert.is((await describe(runId)).status.name, 'RUNNING');
});

outbox('asks Temporal that is down only once a second, however often it is woken', async () => {
  const org = await newOrg(em);
  const asked = new Set<string>();
  let failedMs = Number.NEGATIVE_INFINITY;
  let tooSoon = 0;
  const down: Orchestrator = {
    ...nowhere,
    async start(runId, depth) {
      asked.add(runId);
      if (performance.now() - failedMs < 900) tooSoon += 1;
      await nowhere.start(runId, depth).finally(() => {
        failedMs = performance.now();
      });
    },
    close: async () => {},
  };
  const dispatcher = startDispatcher({ ...deps, temporal: down }, 60_000);
  const runs: string[] = [];
  for (let index = 0; index < 5; index++) {
    runs.push(await org.startRun(`w${index}.example.com`));
    dispatcher.wake();
  }
  await until(async () => runs.every((runId) => asked.has(runId)));
  await dispatcher.stop();
  assert.is(tooSoon, 0);
});

outbox('a woken dispatcher does not wait for its next look', async () => {
  const org = await newOrg(em);
  const dispatcher = startDispatcher({ ...deps, temporal: { ...temporal, close: async () => {} } }, 60_000);
  await sleep(200);
  await org.startRun();
  dispatcher.wake();
  await until(async () => (await messages(em, org.orgId)).length === 0);
  await dispatcher.stop();
});

outbox('says when Temporal cannot be used', async () => {
  await temporal.check();
  for (const broken of [nowhere, connectTemporal({ address, namespace: 'no-such', taskQueuePrefix })]) {
    let failure: unknown;
    await broken.check().catch((error: unknown) => {
      failure = error;
    });
    assert.instance(failure, Error);
  }
});

outbox.run();

const reconciliation = suite('reconciliation');

async function underWay() {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await drainOutbox(deps, signal);
  await age(org, runId);
  return { org, runId };
}

for (const [how, finishWorkflow] of [
  ['terminated', (runId: string) => workflow.getHandle(workflowId(runId)).terminate('test')],
] as const)
  for (const hasBegun of [true, false])
    reconciliation(
      `a scan whose workflow was ${how} ${hasBegun ? 'while it ran' : 'before it began'} fails, refunded`,
      async () => {
        const { org, runId } = await underWay();
        if (hasBegun) await beginRun(em, runId);
        const next = await org.startRun();
        await finishWorkflow(runId);
        await reconcile(deps, signal);
        const row = await org.row(runId);
        assert.equal([row.status, row.failureCode, row.credits], ['failed', 'interrupted', 0]);
        assert.equal(await org.balance(), { available: 99, reserved: 1 });
        assert.equal(await messages(em, org.orgId), [`start ${next}`]);
      },
    );

reconciliation('a scan that was to be canceled is canceled when its workflow is gone', async () => {
  const { org, runId } = await underWay();
  await beginRun(em, runId);
  await cancelScan(em, org.orgId, runId);
  await drainOutbox(deps, signal);
  await workflow.getHandle(workflowId(runId)).terminate('test');
  await reconcile(deps, signal);
  assert.is((await org.row(runId)).status, 'canceled');
});

reconciliation('a scan that cannot be compared keeps no other from being', async () => {
  const [odd, other] = [await underWay(), await underWay()];
  for (const { runId } of [odd, other]) await workflow.getHandle(workflowId(runId)).terminate('test');
  const failing: Orchestrator = {
    ...temporal,
    status: async (runId) => {
      if (runId === odd.runId) throw new Error('an answer that nobody can read');
      return temporal.status(runId);
    },
  };
  await reconcile({ ...deps, temporal: failing }, signal);
  assert.is((await odd.org.row(odd.runId)).status, 'queued');
  assert.is((await other.org.row(other.runId)).status, 'failed');
});

reconciliation('a scan whose workflow goes on is left alone', async () => {
  const { org, runId } = await underWay();
  await beginRun(em, runId);
  await reconcile(deps, signal);
  assert.is((await org.row(runId)).status, 'running');
});

reconciliation('a scan that was dispatched just now is left alone', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await drainOutbox(deps, signal);
  await workflow.getHandle(workflowId(runId)).terminate('test');
  await reconcile(deps, signal);
  assert.is((await org.row(runId)).status, 'queued');
});

reconciliation('a start that Temporal has forgotten is given to it again', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await inOrg(em, org.orgId, (tx) => tx.execute('delete from outbox where key = ?', [runId]));
  await age(org, runId);
  await reconcile(deps, signal);
  assert.is((await org.row(runId)).status, 'queued');
  assert.equal(await messages(em, org.orgId), [`start ${runId}`]);
  await drainOutbox(deps, signal);
  assert.is((await describe(runId)).status.name, 'RUNNING');
});

reconciliation('a scan whose start is parked fails, refunded', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await inOrg(em, org.orgId, (tx) => tx.execute("update outbox set available_at = 'infinity' where key = ?", [runId]));
  await age(org, runId);
  await reconcile(deps, signal);
  const row = await org.row(runId);
  assert.equal([row.status, row.failureCode, row.credits], ['failed', 'interrupted', 0]);
  assert.equal(await org.balance(), { available: 100, reserved: 0 });
});

reconciliation('a running scan that Temporal has forgotten fails, refunded', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await beginRun(em, runId);
  await inOrg(em, org.orgId, (tx) => tx.execute('delete from outbox where key = ?', [runId]));
  await age(org, runId);
  await reconcile(deps, signal);
  assert.is((await org.row(runId)).status, 'failed');
  assert.equal(await org.balance(), { available: 100, reserved: 0 });
});

reconciliation('a start that waits for Temporal is left alone', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  await age(org, runId);
  await reconcile(deps, signal);
  assert.equal(await messages(em, org.orgId), [`start ${runId}`]);
});

reconciliation('concludes nothing while Temporal is down', async () => {
  const { org, runId } = await underWay();
  await beginRun(em, runId);
  let failure: unknown;
  await reconcile({ ...deps, temporal: nowhere }, signal).catch((error: unknown) => {
    failure = error;
  });
  assert.instance(failure, Error);
  assert.is((await org.row(runId)).status, 'running');
});

reconciliation('a scan that ended properly meanwhile stays as it is', async () => {
  const { org, runId } = await underWay();
  const late: Orchestrator = {
    ...temporal,
    status: async (id) => {
      if (id === runId) await completeRun(em, runId);
      return 'COMPLETED';
    },
  };
  await reconcile({ ...deps, temporal: late }, signal);
  assert.is((await org.row(runId)).status, 'completed');
  assert.equal(await org.balance(), { available: 99, reserved: 0 });
});

reconciliation.after(async () => {
  await connection.close();
  await temporal.close();
  await nowhere.close();
  await close();
});
reconciliation.run();
