import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../kit/logger.ts';

/** Work that goes on beside the calls, until it is stopped. */
type BackgroundTask = (signal: AbortSignal) => Promise<void>;

/** Does a task at once, then after each pause or when woken. A wake during the task makes it run once more. */
export function repeat(
  task: BackgroundTask,
  name: string,
  pauseMs: number,
  { log, signal }: { log: Logger; signal: AbortSignal },
) {
  let isWoken = false;
  let pause = new AbortController();
  const run = async () => {
    while (!signal.aborted) {
      isWoken = false;
      await task(signal).catch((err: unknown) => log.error({ err }, `${name} failed`));
      if (isWoken) continue;
      pause = new AbortController();
      await sleep(pauseMs, undefined, { signal: AbortSignal.any([signal, pause.signal]) }).catch(() => {});
    }
  };
  const wake = () => {
    isWoken = true;
    pause.abort();
  };
  return { wake, ended: run() };
}

const maxPauseMs = 60_000;

/** Does a task once, as soon as it can be done. */
export async function untilDone(
  task: BackgroundTask,
  name: string,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await task(signal);
    } catch (err) {
      log.debug({ err }, `${name} is tried again`);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
