import { NativeConnection } from '@temporalio/worker';
import { createLogger } from '../../../kit/logger.ts';
import { rpcClients } from '../../../kit/rpc.ts';
import { OwnershipService } from '../../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { workflowBundle } from '../../../workflows/bundle.ts';
import { shippedLibraryData } from '../../../workflows/checks/library-data.ts';
import type { Registry } from '../../../workflows/checks/registry.ts';
import { checkMetrics } from '../../../workflows/metrics.ts';
import { queueNames } from '../../../workflows/orchestration/queues.ts';
import { openOwnershipChecks } from '../../../workflows/ownership/checks.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { openProbes } from '../../../workflows/probe/open.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { openRun } from '../../../workflows/run/run.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { startWorkers } from '../../../workflows/worker.ts';
import { workbenchCore } from './core-program.ts';
import { openOrg } from './installation.ts';
import { cacheFolder } from './temporal.ts';

/** A real core as a program, and the real workers in this process with a registry of the test's own. */
export async function openWorkbench(registry: Registry, browsers?: BrowserPool, requestsPerSecond = 500) {
  const host = 'site.localhost';
  const installation = await openOrg(await workbenchCore(), host);
  const rpc = rpcClients({ baseUrl: installation.coreUrl, key: installation.workerKey });
  const runs = rpc(RunService);
  const connection = await NativeConnection.connect({ address: installation.temporalAddress });
  const guard = { allow: parseAllowRules([`${host}=127.0.0.0/8`]) };
  const workers = await startWorkers({
    connection,
    namespace: 'default',
    queuePrefix: installation.queuePrefix,
    queues: queueNames,
    bundlePath: await workflowBundle(cacheFolder),
    deps: {
      openRun: (runId, signal) => openRun(runs, runId, { signal }),
      ownership: openOwnershipChecks(rpc(OwnershipService)),
      registry,
      openProbes: (options) => openProbes({ ...options, guard, ...(browsers ? { browsers } : {}) }),
      libraryData: () => shippedLibraryData,
      survey,
      prove,
      metrics: checkMetrics(),
      requestsPerSecond,
      logger: createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent'),
    },
  });
  return {
    ...installation,
    host,
    runs,
    async close() {
      await workers.drain();
      await connection.close();
      await installation.close();
    },
  };
}

export type Workbench = Awaited<ReturnType<typeof openWorkbench>>;
