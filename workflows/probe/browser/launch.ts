import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Logger } from '../../../kit/logger.ts';
import { type BrowserProgram, bundledChromium, bundledFonts } from './files.ts';
import { type BrowserEnd, describeEnd } from './relay/end.ts';
import { type StartedBrowser, startBrowser } from './start.ts';
import { browserUser } from './user.ts';

export type BrowserSettings = {
  /** A Chromium of this machine; the one that comes with the project by default. */
  chromiumPath?: string | undefined;
  /** Where the project's own Chromium is unpacked; a folder of this system by default. */
  cacheDir?: string | undefined;
  /** "off" starts the browser without its own sandbox; without that word there is a sandbox or no browser. */
  sandbox?: 'on' | 'off' | undefined;
  logger: Logger;
};

/** A worker's one warm browser. Visits make contexts of their own in it. */
export type BrowserPool = {
  /** The running browser; launched when it is first needed, and again after it crashed. @throws Error with the reason */
  browser(): Promise<Browser>;
  /** Why there is none; undefined when there is one. */
  unavailable(): Promise<string | undefined>;
  /** Ends a browser that does not answer any more; the next visit gets a new one. */
  discard(browser: Browser): Promise<void>;
  /** How a browser that is gone has ended, in words; undefined when nobody knows. */
  endOf(browser: Browser): Promise<string | undefined>;
  close(): Promise<void>;
};

/** A machine that is busy may fail to start a browser once. */
const maxStarts = 3;
const betweenStartsMs = 250;
/** Starts that take longer than this in all are not repeated. */
const startingMs = 30_000;

export function createBrowserPool({ logger, ...settings }: BrowserSettings): BrowserPool {
  const sandbox = settings.sandbox === 'off' ? 'unsandboxed' : 'sandboxed';
  const ends = new WeakMap<Browser, Promise<BrowserEnd | undefined>>();
  const expected = new WeakSet<Browser>();
  let launched: Promise<Browser> | undefined;

  const startSome = async (program: BrowserProgram): Promise<StartedBrowser> => {
    const user = browserUser();
    if (sandbox === 'sandboxed' && user.name === 'own' && process.getuid?.() === 0)
      throw new Error(
        `Chromium has no sandbox for root, and setpriv is not installed to start it as another user. ${remedy}`,
      );
    const sinceMs = performance.now();
    for (let starts = 1; ; starts += 1) {
      try {
        return await startBrowser(program, user, sandbox);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.warn({ err: error, starts, sandbox, user: user.name }, 'the browser did not start');
        if (starts === maxStarts || performance.now() - sinceMs > startingMs)
          throw new Error(
            sandbox === 'sandboxed' ? `the browser does not start with its sandbox (${reason}). ${remedy}` : reason,
          );
        await sleep(betweenStartsMs);
      }
    }
  };

  const launch = async (): Promise<Browser> => {
    const fonts = await bundledFonts(settings.cacheDir);
    const program = settings.chromiumPath
      ? { path: settings.chromiumPath, env: {} }
      : await bundledChromium(settings.cacheDir);
    const { browser, ended } = await startSome({ ...program, env: { ...program.env, ...fonts } });
    ends.set(browser, ended);
    browser.once('disconnected', () => forget(browser));
    void ended.then((end) => logEnd(browser, end));
    logger.info({ version: browser.version(), sandbox, user: browserUser().name }, 'browser started');
    return browser;
  };

  const logEnd = (browser: Browser, end: BrowserEnd | undefined) => {
    const how = end && { code: end.code, signal: end.signal, leftOut: end.leftOut };
    if (expected.has(browser)) logger.debug(how ?? {}, 'browser ended');
    else logger.warn({ ...how, stderr: end?.stderr }, 'the browser ended by itself');
  };

  let current: Browser | undefined;
  const forget = (browser: Browser) => {
    if (current === browser) [launched, current] = [undefined, undefined];
  };

  const browser = () => {
    launched ??= launch().then(
      (started) => {
        if (started.isConnected()) current = started;
        else launched = undefined;
        return started;
      },
      (error) => {
        launched = undefined;
        throw error;
      },
    );
    return launched;
  };

  const end = async (dead: Browser) => {
    expected.add(dead);
    forget(dead);
    await dead.close().catch(() => {});
  };

  return {
    browser,
    unavailable: () =>
      browser().then(
        () => undefined,
        (error: unknown) => `no browser can be started here: ${error instanceof Error ? error.message : String(error)}`,
      ),
    discard: end,
    async endOf(gone) {
      const known = await ends.get(gone);
      return known && describeEnd(known);
    },
    async close() {
      const running = await launched?.catch(() => undefined);
      if (!running) return;
      await end(running);
      // Its profile goes with it.
      await ends.get(running);
    },
  };
}

const remedy =
  'Let the kernel give user namespaces to its user (docs/operations/production.md, "The browser"), or set BROWSER_SANDBOX=off to run it without.';
