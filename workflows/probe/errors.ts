import { ProbeError, type ProbeErrorCode } from '../model/probe-error.ts';

const byCode: Record<string, ProbeErrorCode> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
};

/** Names what went wrong in the words of the contract. The signal's own reason goes before everything else. */
export function probeErrorFrom(error: unknown, signal?: AbortSignal): ProbeError {
  if (signal?.reason instanceof ProbeError) return signal.reason;
  if (error instanceof ProbeError) return error;
  if (signal?.aborted) return new ProbeError('canceled', 'the scan was canceled', { cause: error });
  const known = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in known ? String(known.code) : '';
  // llhttp's codes ("HPE_…") and refusals to send what is not HTTP.
  return new ProbeError(byCode[code] ?? 'protocol_error', wordsOf(known) || code, { cause: error });
}

/** Node's message on a connection names the address that was tried, which may be one inside our network. */
const wordsOf = (error: Error): string =>
  'address' in error && 'syscall' in error && 'code' in error ? `${error.syscall} ${error.code}` : error.message;

/** A signal that aborts with `canceled` when the activity is canceled, and with `timeout` after its time. */
export type TimeLimit = AbortSignal &
  Disposable & {
    /** The clock stands still: waiting for our own pace is not the target's doing. */
    pause(): void;
    resume(): void;
  };

/** @returns a limit whose clock runs */
export function timeLimit(signal: AbortSignal, timeoutMs: number, what: string): TimeLimit {
  const limit = new AbortController();
  const expire = () => limit.abort(new ProbeError('timeout', `${what} took longer than ${timeoutMs} ms`));
  const cancel = () => limit.abort(new ProbeError('canceled', 'the scan was canceled'));
  let leftMs = timeoutMs;
  let runningSince = 0;
  let timer: NodeJS.Timeout | undefined;

  const pause = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - runningSince;
  };
  const resume = () => {
    if (timer) return;
    runningSince = performance.now();
    timer = setTimeout(expire, Math.max(0, leftMs));
  };

  resume();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return Object.assign(limit.signal, {
    pause,
    resume,
    [Symbol.dispose]() {
      pause();
      signal.removeEventListener('abort', cancel);
    },
  });
}

/** Nothing was sent, on purpose: the org has excluded it, or the write gate refuses it. That is counted elsewhere. */
export const isLeftOut = (error: unknown): boolean =>
  error instanceof ProbeError && (error.code === 'excluded' || error.code === 'refused');

/** What is asked for, or undefined where it is left out: there are other places to look at. */
export async function unlessLeftOut<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}
