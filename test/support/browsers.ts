import { createLogger } from '../../kit/logger.ts';
import { type BrowserPool, type BrowserSettings, createBrowserPool } from '../../workflows/probe/browser/launch.ts';
import { atBatchEnd } from './batch-end.ts';

/** The browser of all test files of a batch. */
let kept: BrowserPool | undefined;

/**
 * A pool with the project's own Chromium. Where the kernel refuses its sandbox, `npm test` says so and sets
 * BROWSER_SANDBOX=off for all test files. With settings of its own a file has a browser of its own.
 */
export function testBrowsers(settings?: Partial<BrowserSettings>): BrowserPool {
  if (settings) return createPool(settings);
  if (!kept) {
    const pool = createPool();
    const end = async () => {
      kept = undefined;
      await pool.close();
    };
    if (!atBatchEnd(end)) return pool;
    kept = pool;
  }
  return { ...kept, close: async () => {} };
}

const createPool = (settings?: Partial<BrowserSettings>) =>
  createBrowserPool({
    logger: createLogger('test', 'silent'),
    sandbox: process.env.BROWSER_SANDBOX === 'off' ? 'off' : 'on',
    ...settings,
  });
