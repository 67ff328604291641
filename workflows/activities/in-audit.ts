import { create } from '@bufbuild/protobuf';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from '../../kit/logger.ts';
import { LoginRefSchema, type RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { BudgetShare } from '../model/budget.ts';
import { finalFailures } from '../model/final-failures.ts';
import { LoginError, type LoginFailure } from '../model/login-error.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { SentBefore } from '../model/tasks.ts';
import type { KeptAnswers } from '../probe/http/cache.ts';
import type { OpenProbes } from '../probe/open.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { allowedWrites } from './allowed-writes.ts';
import { runningCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { findObservations, gateSettings } from './gate-knowledge.ts';
import { answersTo, forgetAnswers } from './kept-answers.ts';
import { openScopeHeaders } from './scope-headers.ts';

/** Cancellation arrives with the answer to a heartbeat, so this bounds how late it is noticed. */
const heartbeatEveryMs = 500;
/** How often the status record learns what a part of the scan has sent. */
const reportEveryMs = 5_000;
/** Messages of failures stand in histories and coverage. */
const maxMessageLength = 300;

/**
 * Opens the run and the instruments for an activity, heartbeats while it works, and closes every socket when it ends.
 * @param part whose requests are reported on the way
 * @param looksAs the visitor whose answers it shares with all that look at the site and change nothing; undefined for what may change it
 * @throws ApplicationFailure whose type is the probe error's code or core's reason; the signal's reason when canceled
 */
export function inAudit<T>(
  deps: AuditDeps,
  { runId, share, part, looksAs }: AuditPart,
  work: (tools: ActivityTools) => Promise<T>,
): Promise<T> {
  return inRun(deps, runId, async (run, { signal, logger, remember }) => {
    const context = await withGained(run, await run.context());
    const kept = looksAs === undefined ? {} : { kept: answersTo(runId, looksAs) };
    return withProbes(deps, { run, context, share, signal, logger, ...kept }, async (probes) => {
      using _reports = part && reporting(run, part, probes);
      try {
        return await work({ run, context, probes, share, writes: allowedWrites(context), signal, logger, remember });
      } catch (error) {
        signal.throwIfAborted();
        throw withRequests(error, probes.requests());
      } finally {
        if (looksAs === undefined && probes.requests() > 0) forgetAnswers(runId);
      }
    });
  });
}

type AuditPart = { runId: string; share: BudgetShare; part?: ReportedPart; looksAs?: string | undefined };

/** @property before requests that it had sent before this activity */
type ReportedPart = { id: string; before?: number };

/** Reports what is sent while the activity runs. That is a courtesy: how the part ends is reported by the activity, and counts. */
function reporting(run: Run, { id, before = 0 }: ReportedPart, probes: Pick<OpenProbes, 'requests'>): Disposable {
  let last = 0;
  const report = async () => {
    const requests = before + probes.requests();
    if (requests === last) return;
    last = requests;
    await run.recordCoverage(runningCoverage(id, requests)).catch(() => undefined);
  };
  const timer = setInterval(report, reportEveryMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Accounts that the audit has found count as test identities of the org's. */
async function withGained(run: Run, context: RunContext): Promise<RunContext> {
  if (context.depth !== Depth.DEEP) return context;
  const names = (await store.gained.find(run, '')) ?? [];
  return { ...context, logins: [...context.logins, ...names.map((name) => create(LoginRefSchema, { name }))] };
}

type ProbeParts = Omit<ActivityTools, 'probes' | 'remember' | 'writes'> & { kept?: KeptAnswers };

/** Instruments for one piece of work; when it ends every socket is closed. */
export async function withProbes<T>(
  deps: AuditDeps,
  { run, context, share, signal, logger, kept }: ProbeParts,
  work: (probes: OpenProbes) => Promise<T>,
): Promise<T> {
  const extraHeaders = await openScopeHeaders(run, context);
  const { url: target, excludedPaths, headersOverHttp } = context;
  const callbacks = deps.openCallbacks?.(run.runId, signal);
  const instruments = deps.openProbes({
    ...{ runId: run.runId, target, share, signal, logger, extraHeaders, headersOverHttp, excludedPaths },
    ...(kept && { kept }),
    gate: gateSettings(context),
  });
  const probes = { ...instruments, ...(callbacks && { callbacks }) };
  try {
    // Whatever this activity does, what others have seen to write is not sent again.
    probes.gate.learn({ observations: await findObservations(run) });
    return await work(probes);
  } finally {
    await probes.close();
  }
}

/** The same for an activity that sends nothing to the host. */
export async function inRun<T>(
  deps: AuditDeps,
  runId: string,
  work: (run: Run, activity: Pick<ActivityTools, 'signal' | 'logger' | 'remember'>) => Promise<T>,
): Promise<T> {
  const signal = cancellationSignal();
  const { activityType, attempt, heartbeatDetails } = activityInfo();
  const logger = deps.logger.child({ runId, activity: activityType, attempt });
  let details: unknown = heartbeatDetails;
  const remember = (next: unknown) => {
    details = next;
  };
  const pulse = setInterval(() => heartbeat(details), heartbeatEveryMs);
  try {
    return await work(deps.openRun(runId, signal), { signal, logger, remember });
  } catch (error) {
    signal.throwIfAborted();
    throw failureFrom(error, logger);
  } finally {
    clearInterval(pulse);
  }
}

/** A failure says what was sent before it. What attempts before it sent is not known, and a later one says nothing. */
function withRequests(error: unknown, requests: number): unknown {
  const failure = knownFailure(error);
  if (!failure || activityInfo().attempt > 1) return error;
  const { type, message, nonRetryable } = failure;
  const details: [SentBefore] = [{ requests }];
  return new ApplicationFailure(message, type, nonRetryable, details);
}

/** Trying again soon may help; of a refused login it could lock the account. */
const passing: readonly LoginFailure[] = ['lost', 'site_down'];

function failureFrom(error: unknown, logger: Logger): unknown {
  const failure = knownFailure(error);
  if (!failure) logger.error({ err: error }, 'an activity failed');
  return failure ?? error;
}

function knownFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof LoginError)
    return ApplicationFailure.create({
      type: `login_${error.failure}`,
      message: error.message.slice(0, maxMessageLength),
      nonRetryable: !passing.includes(error.failure),
    });
  if (!(error instanceof ProbeError)) return undefined;
  const nonRetryable = (finalFailures as readonly string[]).includes(error.code);
  return ApplicationFailure.create({
    type: error.code,
    message: error.message.slice(0, maxMessageLength),
    nonRetryable,
  });
}
