import { Runtime } from '@temporalio/worker';
import type { Logger } from '../kit/logger.ts';

/** Sends Temporal's log to ours, and leaves signals to the program. Once in a process, before anything of Temporal. */
export function installRuntime(logger: Logger): void {
  const write =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, meta: object = {}) =>
      logger[level](ownNames({ ...meta }), message);
  // Temporal's own state changes are of interest only to who looks for a fault of it; what workflows say, to everybody.
  const inform = (message: string, meta: object = {}) => write(isFromWorkflow(meta) ? 'info' : 'debug')(message, meta);
  const byLevel = {
    TRACE: write('trace'),
    DEBUG: write('debug'),
    INFO: inform,
    WARN: write('warn'),
    ERROR: write('error'),
  };
  const { TRACE: trace, DEBUG: debug, INFO: info, WARN: warn, ERROR: error } = byLevel;
  Runtime.install({
    shutdownSignals: [],
    logger: { log: (level, message, meta) => byLevel[level](message, meta), trace, debug, info, warn, error },
  });
}

const isFromWorkflow = (meta: object): boolean => 'sdkComponent' in meta && meta.sdkComponent === 'workflow';

/** What Temporal calls a run is one execution of a workflow; ours is the scan, which its workflow is named after. */
function ownNames({ runId: executionId, ...meta }: Record<string, unknown>): Record<string, unknown> {
  const workflow = meta.workflowId ?? workflowIdIn(meta.workflowExecution);
  const [, runId] = /^scan\/(.+)$/.exec(typeof workflow === 'string' ? workflow : '') ?? [];
  return { ...meta, ...(executionId !== undefined && { executionId }), ...(runId !== undefined && { runId }) };
}

const workflowIdIn = (execution: unknown): unknown =>
  typeof execution === 'object' && execution !== null ? Reflect.get(execution, 'workflowId') : undefined;
