import { setTimeout as sleep } from 'node:timers/promises';
import { LoginError, type LoginFailure } from '../model/login-error.ts';

/** Before each further try. Sites that limit logins after wrong passwords mostly do it for no more than a minute. */
export const usualPausesMs = [20_000, 40_000];

/** How sites answer a right password during that time; some say nothing, and show the login again. */
const whileLocked: readonly LoginFailure[] = [
  'wrong_credentials',
  'code_refused',
  'locked',
  'rate_limited',
  'refused',
  'no_token',
  'lost',
];

/**
 * Logs in as an identity that was proven, and tries again when a lock-out has passed: checks have to send wrong passwords, for which
 * a site may refuse the right one for a while.
 * @param pausesMs before each further try
 * @throws LoginError of the last try, ProbeError
 */
export async function afterLockout<T>(
  logIn: () => Promise<T>,
  signal: AbortSignal,
  pausesMs: readonly number[] = usualPausesMs,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await logIn();
    } catch (error) {
      if (!(error instanceof LoginError && whileLocked.includes(error.failure))) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
  }
  return logIn();
}
