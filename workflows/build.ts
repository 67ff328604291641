import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@connectrpc/connect';
import { NativeConnection } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import { followCredentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import { rpcClients } from '../kit/rpc.ts';
import { Health, HealthCheckResponse_ServingStatus as Serving } from '../proto/gen/health/v1/health_pb.ts';
import { CallbackService } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { OwnershipService } from '../proto/gen/scanaudit/v1/ownership_pb.ts';
import { RunService } from '../proto/gen/scanaudit/v1/runs_pb.ts';
import type { AuditDeps } from './activities/deps.ts';
import { workflowBundle } from './bundle.ts';
import { loadRegistry } from './checks/registry.ts';
import type { Config } from './config.ts';
import { openLibraryFeed } from './library-feed.ts';
import { checkMetrics, registerMetrics } from './metrics.ts';
import { openOwnershipChecks } from './ownership/checks.ts';
import { type BrowserPool, createBrowserPool } from './probe/browser/launch.ts';
import { openProbes } from './probe/open.ts';
import { createTrust } from './probe/tls/trust.ts';
import { prove } from './proof/prove.ts';
import { openCallbacks } from './run/callbacks.ts';
import { openRun } from './run/run.ts';
import { installRuntime } from './runtime.ts';
import { survey } from './survey/crawler.ts';
import { startWorkers, type Workers } from './worker.ts';

/** The worker program, put together but not yet connected to Temporal. */
type Program = {
  /**
   * Connects, as long as it takes, and starts the workers.
   * @returns false when the program was closed before
   */
  start(): Promise<boolean>;
  /** Rejects when a worker failed. Pending before the start. */
  failed: Promise<never>;
  registerMetrics(registry: Registry): void;
  /** What is not ready, each with the reason. */
  missing(): Promise<Record<string, string>>;
  /** Ends in this order: workers, then what they use. */
  close(): Promise<void>;
};

const readinessTimeoutMs = 2_000;
const maxReconnectPauseMs = 5_000;

/**
 * @throws RegistryError when a check is wrong
 */
export async function build(config: Config, logger: Logger): Promise<Program> {
  installRuntime(logger);
  const tls = config.coreTls && followCredentials(config.coreTls, logger);
  const rpc = rpcClients({ baseUrl: config.coreUrl, key: config.workerKey, ...(tls && { tls }) });
  const { chromiumPath, cacheFolder: cacheDir, browserSandbox: sandbox } = config;
  const browsers = createBrowserPool({ chromiumPath, cacheDir, sandbox, logger });
  const trust = createTrust(config.extraCa);
  const { targetAllow: allow, dnsServer, dnsAnchors, mailPort, callbacks } = config;
  const guard = { allow, dnsServer, dnsAnchors, mailPort };
  const runs = rpc(RunService);
  const health = rpc(Health);
  const metrics = checkMetrics();
  const libraries = openLibraryFeed({ ...(config.libraryDataUrl && { url: config.libraryDataUrl }), logger });
  const deps: AuditDeps = {
    openRun: (runId, signal) => openRun(runs, runId, { signal }),
    ...(callbacks && {
      openCallbacks: (runId: string, signal: AbortSignal) =>
        openCallbacks(rpc(CallbackService), runId, callbacks, { signal }),
    }),
    ownership: openOwnershipChecks(rpc(OwnershipService)),
    registry: await loadRegistry(),
    openProbes: (options) => openProbes({ ...options, guard, browsers, trust }),
    libraryData: libraries.current,
    survey,
    prove,
    metrics,
    requestsPerSecond: config.requestsPerSecond,
    logger,
  };
  const bundlePath = await workflowBundle(config.cacheFolder);
  const stopping = new AbortController();
  const failure = Promise.withResolvers<never>();
  let connection: NativeConnection | undefined;
  let workers: Workers | undefined;
  return {
    async start() {
      connection = await connect(config, logger, stopping.signal);
      if (!connection) return false;
      const { queues, temporal } = config;
      const { namespace, taskQueuePrefix: queuePrefix } = temporal;
      workers = await startWorkers({ connection, namespace, queuePrefix, queues, bundlePath, deps });
      workers.ended.catch(failure.reject);
      if (queues.some((queue) => queue !== 'workflows')) {
        libraries.start();
        warm(browsers, logger);
      }
      return true;
    },
    failed: failure.promise,
    registerMetrics: (registry) => registerMetrics(registry, metrics),
    async missing() {
      const core = await coreFault(health);
      const temporal = await temporalFault(connection);
      return { ...(core && { core }), ...(temporal && { temporal }) };
    },
    async close() {
      stopping.abort();
      await workers?.drain();
      await connection?.close();
      await libraries.close();
      await browsers.close();
    },
  };
}

/** The first scan need not wait for the browser; without one the checks that need it report that. */
function warm(browsers: BrowserPool, logger: Logger): void {
  browsers.unavailable().then(
    (reason) => reason !== undefined && logger.warn({ reason }, 'no browser: checks that need one will not run'),
    (err: unknown) => logger.warn({ err }, 'the browser could not be asked for'),
  );
}

/** Temporal may start after the worker: it is asked again until it answers. */
async function connect(
  { temporal: { address, tls, apiKey } }: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(maxReconnectPauseMs, pauseMs * 2)) {
    try {
      return await NativeConnection.connect({ address, ...(tls && { tls }), ...(apiKey && { apiKey }) });
    } catch (err) {
      logger.warn({ err, address }, 'Temporal does not answer yet');
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

async function coreFault(health: Client<typeof Health>): Promise<string | undefined> {
  try {
    const { status } = await health.check({}, { timeoutMs: readinessTimeoutMs });
    return status === Serving.SERVING ? undefined : 'core is not serving';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function temporalFault(connection: NativeConnection | undefined): Promise<string | undefined> {
  if (!connection) return 'not connected';
  try {
    const ask = () => connection.workflowService.getSystemInfo({});
    await connection.withDeadline(Date.now() + readinessTimeoutMs, ask);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
