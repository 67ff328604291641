import type { Logger } from '../../kit/logger.ts';
import type { LibraryData } from '../checks/library-data.ts';
import type { Registry } from '../checks/registry.ts';
import type { CheckMetrics } from '../metrics.ts';
import type { CallbackProbe } from '../model/callbacks.ts';
import type { OwnershipChecks } from '../ownership/checks.ts';
import type { OpenProbes, ProbesOptions } from '../probe/open.ts';
import type { prove } from '../proof/prove.ts';
import type { Run } from '../run/run.ts';
import type { survey } from '../survey/crawler.ts';

/** What the activities work with: made once at the worker's start. */
export type AuditDeps = {
  openRun(runId: string, signal: AbortSignal): Run;
  /** Not there without a listener. */
  openCallbacks?(runId: string, signal: AbortSignal): CallbackProbe;
  ownership: OwnershipChecks;
  registry: Registry;
  openProbes(
    options: Pick<
      ProbesOptions,
      | 'runId'
      | 'target'
      | 'share'
      | 'signal'
      | 'logger'
      | 'extraHeaders'
      | 'headersOverHttp'
      | 'excludedPaths'
      | 'gate'
      | 'kept'
    >,
  ): OpenProbes;
  /** The newest there is. */
  libraryData(): LibraryData;
  survey: typeof survey;
  prove: typeof prove;
  /** The operator's ceiling for any host. */
  requestsPerSecond: number;
  metrics: CheckMetrics;
  logger: Logger;
};
