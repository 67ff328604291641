import { createLogger } from '../../kit/logger.ts';
import { type BrowserPool, type BrowserSettings, createBrowserPool } from '../../workflows/probe/browser/launch.ts';

/** The browser of all test files of this process, when several run in it. */
let kept: BrowserPool | undefined;

/**
 * A pool with the project's own Chromium. Where the kernel refuses its sandbox, `npm test` says so and sets
 * BROWSER_SANDBOX=off for all test files. With settings of its own a file has a browser of its own.
 */
export function testBrowsers(settings?: Partial<BrowserSettings>): BrowserPool {
  if (kept && !settings) return { ...kept, close: async () => {} };
  return createBrowserPool({
    logger: createLogger('test', 'silent'),
    sandbox: process.env.BROWSER_SANDBOX === 'off' ? 'off' : 'on',
    ...settings,
  });
}

/** From now on the test files of this process share one browser. @returns what ends it */
export function keepBrowser(): () => Promise<void> {
  const pool = testBrowsers();
  kept = pool;
  return async () => {
    kept = undefined;
    await pool.close();
  };
}
