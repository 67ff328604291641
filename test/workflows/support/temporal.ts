import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../workflows/bundle.ts';
import type {
  AuditActivities,
  ControlActivities,
  FamilyInput,
  ScanInput,
  ScanPlan,
} from '../../../workflows/model/tasks.ts';
import { queuesOf } from '../../../workflows/orchestration/queues.ts';
import { testTemporal } from '../../support/servers.ts';

export type ScriptedActivities = ControlActivities & AuditActivities;

/** The workflow under test on a real Temporal server, its activities those of the test. */
export type Stage = {
  start(scan: Omit<ScanInput, 'runId'>, activities: Partial<ScriptedActivities>): Promise<Started>;
  close(): Promise<void>;
};

export type Started = {
  handle: WorkflowHandle;
  /** Names of the activities that were called, in order, with their input. */
  calls: { name: string; input: unknown }[];
  /** Inputs of the calls of one activity. */
  of(name: keyof ScriptedActivities): unknown[];
  ended(): Promise<void>;
};

Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });

export const cacheFolder = join(homedir(), '.cache', 'scan-audit');

const plan: ScanPlan = { standard: ['headers', 'tls'], deep: ['deep/access'], logins: ['a'], requestsPerSecond: 100 };

/** What each activity answers when the test does not say otherwise. */
const quiet: ScriptedActivities = {
  beginRun: async () => plan,
  reportProgress: async () => {},
  recordLostFamily: async () => {},
  recordPart: async () => {},
  finishRun: async () => {},
  survey: async () => ({ requests: 10 }),
  observeForms: async () => ({ requests: 0 }),
  runFamily: async ({ before }: FamilyInput) => ({ ...before, requests: before.requests + 5, done: true }),
  gainLogins: async () => ({ logins: [], visitors: {}, weights: {}, requests: 0 }),
  proveLogin: async () => ({ proven: true, requests: 4 }),
  mapPermissions: async () => ({ requests: 8 }),
  planNext: async () => ({ steps: [], stateRef: 'state' }),
  runChainStep: async () => ({ requests: 3 }),
  reportChains: async () => ({ requests: 6 }),
  creditLateCallbacks: async () => ({ requests: 0 }),
  undoWrites: async () => ({ requests: 0 }),
};

export async function openStage(): Promise<Stage> {
  const { address } = await testTemporal();
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const client = new Client({ connection: clientConnection });
  const codePath = await workflowBundle(cacheFolder);
  const queues = queuesOf(`test-${randomUUID()}`);
  const scripts = new Map<string, Script>();
  const options = { connection, maxHeartbeatThrottleInterval: '1 s', activities: dispatching(scripts) } as const;
  const workers = await Promise.all([
    Worker.create({ ...options, taskQueue: queues.workflows, workflowBundle: { codePath } }),
    Worker.create({ ...options, taskQueue: queues.standard }),
    Worker.create({ ...options, taskQueue: queues.deep }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    async start(scan, scripted) {
      const runId = randomUUID();
      const calls: Started['calls'] = [];
      scripts.set(runId, { activities: { ...quiet, ...scripted }, calls });
      const handle = await client.workflow.start('scanWorkflow', {
        workflowId: `scan/${runId}`,
        taskQueue: queues.workflows,
        args: [{ runId, ...scan }],
      });
      return {
        handle,
        calls,
        of: (name) => calls.filter((call) => call.name === name).map(({ input }) => input),
        ended: async () => {
          await handle.result();
        },
      };
    },
    async close() {
      for (const worker of workers) worker.shutdown();
      await running;
      await clientConnection.close();
      await connection.close();
    },
  };
}

type Script = { activities: ScriptedActivities; calls: Started['calls'] };

/** Activities that do what the script of their run says, and note that they were called. */
function dispatching(scripts: Map<string, Script>): object {
  const dispatch = (name: string) => (input: { runId: string }) => {
    const script = scripts.get(input.runId);
    script?.calls.push({ name, input });
    const activity = script?.activities[name as keyof ScriptedActivities] as (input: object) => Promise<unknown>;
    return activity(input);
  };
  return Object.fromEntries(Object.keys(quiet).map((name) => [name, dispatch(name)]));
}
