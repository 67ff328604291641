import { createLogger } from '../../kit/logger.ts';
import { type BrowserPool, type BrowserSettings, createBrowserPool } from '../../workflows/probe/browser/launch.ts';

/**
 * A pool with the project's own Chromium. Where the kernel refuses its sandbox, `npm test` says so and sets
 * BROWSER_SANDBOX=off for all test files.
 */
export const testBrowsers = (settings: Partial<BrowserSettings> = {}): BrowserPool =>
  createBrowserPool({
    logger: createLogger('test', 'silent'),
    sandbox: process.env.BROWSER_SANDBOX === 'off' ? 'off' : 'on',
    ...settings,
  });
