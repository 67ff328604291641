import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Logger } from '../../../kit/logger.ts';
import { browserArgs, type SandboxMode } from './args.ts';
import { type BrowserProgram, bundledChromium, bundledFonts } from './files.ts';
import { fontEnvironment } from './fonts.ts';

export type BrowserSettings = {
  /** A Chromium of this machine; the one that comes with the project by default. */
  chromiumPath?: string | undefined;
  /** Where the project's own Chromium is unpacked; a folder of this system by default. */
  cacheDir?: string | undefined;
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
  close(): Promise<void>;
};

export function createBrowserPool(settings: BrowserSettings): BrowserPool {
  let launched: Promise<Browser> | undefined;
  /** Ways to start it, the safest first; the ones that failed here are not tried again. */
  const ways = waysToStart();

  const startSomehow = async (program: BrowserProgram, fonts: string): Promise<Browser> => {
    for (;;) {
      const [way] = ways;
      if (!way) throw new Error('there is no way to start it');
      try {
        return await start(program, fonts, way);
      } catch (error) {
        if (ways.length === 1) throw error;
        ways.shift();
        settings.logger.warn({ err: error, ...way }, 'the browser does not start this way here; it is less confined');
      }
    }
  };

  const launch = async (): Promise<Browser> => {
    const program = settings.chromiumPath
      ? { path: settings.chromiumPath, env: {} }
      : await bundledChromium(settings.cacheDir);
    const browser = await startSomehow(program, await bundledFonts(settings.cacheDir));
    browser.once('disconnected', () => {
      launched = undefined;
    });
    settings.logger.info({ version: browser.version(), ...ways[0] }, 'browser started');
    return browser;
  };

  const browser = () => {
    launched ??= launch().catch((error) => {
      launched = undefined;
      throw error;
    });
    return launched;
  };

  return {
    browser,
    unavailable: () =>
      browser().then(
        () => undefined,
        (error: unknown) => `no browser can be started here: ${firstLine(error)}`,
      ),
    discard: (dead) => dead.close().catch(() => {}),
    async close() {
      await (await launched?.catch(() => undefined))?.close();
    },
  };
}

/** The user that owns nothing. Source: Linux Standard Base, nobody. */
const nobody = 65534;
const setpriv = '/usr/bin/setpriv';

type Way = { sandbox: SandboxMode; user: 'nobody' | 'own' };

/** Chromium refuses its sandbox to root; a kernel may refuse it to everybody. */
function waysToStart(): Way[] {
  const isRoot = process.getuid?.() === 0;
  const nobodys: Way[] = [
    { sandbox: 'sandboxed', user: 'nobody' },
    { sandbox: 'unsandboxed', user: 'nobody' },
  ];
  if (!isRoot)
    return [
      { sandbox: 'sandboxed', user: 'own' },
      { sandbox: 'unsandboxed', user: 'own' },
    ];
  return [...(existsSync(setpriv) ? nobodys : []), { sandbox: 'unsandboxed', user: 'own' }];
}

async function start(program: BrowserProgram, fonts: string, way: Way): Promise<Browser> {
  const profileDir = await mkdtemp(join(tmpdir(), 'scan-audit-browser-'));
  const args = browserArgs(profileDir, way.sandbox);
  const unprivileged = way.user === 'nobody';
  if (unprivileged) await chown(profileDir, nobody, nobody);
  const drop = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--', program.path];
  const removeProfile = () => rm(profileDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  try {
    const fontSettings = await fontEnvironment(fonts, profileDir);
    // Hundreds of modules: only who starts a browser waits for them.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath: unprivileged ? setpriv : program.path,
      args: unprivileged ? [...drop, ...args] : args,
      // Playwright's own arguments would change what pages may do. It ends when our end of its pipe is closed.
      ignoreDefaultArgs: true,
      env: { ...program.env, ...fontSettings, HOME: profileDir },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 20_000,
    });
    browser.once('disconnected', removeProfile);
    return browser;
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];
