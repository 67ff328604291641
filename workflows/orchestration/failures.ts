import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { type Omission, omissionCodeOf } from '../model/omission.ts';
import type { RunFailure, SentBefore } from '../model/tasks.ts';

/** Core has ended the run already: whatever the worker still holds is of no use. */
export const isGone = (error: unknown): boolean => typeOf(error) === 'RUN_NOT_RUNNING';

export const isCanceled = (error: unknown): boolean => isCancellation(error);

/**
 * Whether an activity was lost with its worker: it crashed, or could not even say that it is still there. What the
 * activity itself says, and one that takes too long while its worker is well, are none of this.
 */
export const isWorkerLost = (error: unknown): boolean => lossOf(error)?.timeoutType === 'HEARTBEAT';

/** The last progress that an activity reported before it was lost with its worker. */
export const lastProgressOf = (error: unknown): unknown => lossOf(error)?.lastHeartbeatDetails;

function lossOf(error: unknown): TimeoutFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof TimeoutFailure ? cause : undefined;
}

/** Why a run failed, as its status record says it. */
export function failureOf(error: unknown): RunFailure {
  const type = typeOf(error);
  const code = failureCodes[type] ?? 'internal';
  return { code, detail: code === 'internal' ? 'the audit ended with an internal error' : reasonOf(error) };
}

/**
 * What an activity left out that failed for good.
 * @param count what is lost with it
 */
export function omissionOf(error: unknown, subject: string, count = 1): Omission {
  return { code: omissionCodeOf(typeOf(error), 'family_lost'), subject, count, text: reasonOf(error) };
}

/** What an activity that failed for good has sent; all that it might have sent when it does not say so. */
export function requestsBefore(error: unknown, most: number): number {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const [sent] = cause instanceof ApplicationFailure ? ((cause.details ?? []) as Partial<SentBefore>[]) : [];
  return Math.min(most, sent?.requests ?? most);
}

/** One sentence for people: why an activity failed for good. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) return 'the worker did not answer in time';
  return cause instanceof Error ? cause.message : 'unknown';
}

const failureCodes: Record<string, string> = {
  dns_failed: 'dns_failed',
  unreachable: 'unreachable',
  timeout: 'unreachable',
  tls_failed: 'unreachable',
  protocol_error: 'unreachable',
  forbidden_address: 'forbidden_address',
  out_of_scope: 'forbidden_address',
  excluded: 'forbidden_address',
  ownership_lost: 'ownership_lost',
  ownership_unproven: 'ownership_unproven',
  DOMAIN_NOT_VERIFIED: 'ownership_lost',
  timed_out: 'timed_out',
};

function typeOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? (cause.type ?? '') : '';
}
