import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { ApplicationFailure } from '@temporalio/common';
import { ErrorInfoSchema, RetryInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';

export type CallOptions = {
  /** Aborts the running call; its reason is thrown. */
  signal: AbortSignal;
  /** How long core may be away before the call fails. Milliseconds, default 60,000. */
  patienceMs?: number;
};

const away: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted, Code.Aborted];

/** Refusals that stay as they are however often one asks. INVALID_KEY is not among them: an operator can mend it. */
const final: readonly string[] = [
  'RUN_NOT_RUNNING',
  'NOT_FOUND',
  'DOMAIN_NOT_VERIFIED',
  'WRONG_KEY_KIND',
  'INVALID_BODY',
  'INVALID_PARAMETER',
];

const firstPauseMs = 200;
const maxPauseMs = 5_000;

/**
 * Calls core, and again while it is away: a restart of core does not cost an activity its attempt.
 * @throws ApplicationFailure with core's reason as its type
 */
export async function callCore<T>(
  attempt: (options: { signal: AbortSignal }) => Promise<T>,
  { signal, patienceMs = 60_000 }: CallOptions,
): Promise<T> {
  const giveUpMs = Date.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt({ signal });
    } catch (error) {
      signal.throwIfAborted();
      const refusal = ConnectError.from(error);
      const waitMs = Math.max(pauseMs, askedPauseMs(refusal));
      if (!away.includes(refusal.code) || Date.now() + waitMs > giveUpMs) throw failureFrom(refusal);
      await pause(waitMs, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}

function askedPauseMs(refusal: ConnectError): number {
  const delay = refusal.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay === undefined ? 0 : Number(delay.seconds) * 1_000 + delay.nanos / 1e6;
}

function failureFrom(refusal: ConnectError): ApplicationFailure {
  const reason = refusal.findDetails(ErrorInfoSchema)[0]?.reason ?? Code[refusal.code];
  return ApplicationFailure.create({
    type: reason,
    message: `core: ${refusal.rawMessage}`,
    nonRetryable: final.includes(reason),
  });
}
