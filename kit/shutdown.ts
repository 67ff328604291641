import closeWithGrace from 'close-with-grace';
import type { Logger } from './logger.ts';

/**
 * Runs `drain` once on SIGTERM, SIGINT or an unexpected error, then exits: 0 after a signal, 1 after an error.
 * @param drain stops taking work and ends the work in progress
 * @param delayMs after this long the program exits anyway
 */
export function drainOnSignal(logger: Logger, drain: () => Promise<void>, delayMs = 15_000): void {
  closeWithGrace({ delay: delayMs, logger: false }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'unexpected error: shutting down');
    else logger.info({ signal }, 'draining');
    await drain();
    logger.info('stopped');
  });
}
