import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { browserArgs, type SandboxMode } from './args.ts';
import type { BrowserProgram } from './files.ts';
import { type BrowserEnd, describeEnd, readEnd } from './relay/end.ts';
import { type BrowserUser, makeFolder, removeFolder } from './user.ts';

export type StartedBrowser = {
  browser: Browser;
  /** Resolves when the browser is gone; undefined when nobody is left who knows how it ended. */
  ended: Promise<BrowserEnd | undefined>;
};

const relay = join(import.meta.dirname, 'relay', 'main.ts');
const startMs = 20_000;

/**
 * Starts a browser behind the relay, with a profile that goes when it ends.
 * @throws Error that says why it ended
 */
export async function startBrowser(
  program: BrowserProgram,
  user: BrowserUser,
  sandbox: SandboxMode,
): Promise<StartedBrowser> {
  // The relay writes where the browser's user cannot, and the other way round.
  const relayFolder = await mkdtemp(join(tmpdir(), 'scan-audit-relay-'));
  const endFile = join(relayFolder, 'end.json');
  let profile: string | undefined;
  const end = async () => {
    const known = await readEnd(endFile);
    await rm(relayFolder, { recursive: true, force: true });
    if (profile !== undefined) await removeFolder(user, profile);
    return known;
  };
  try {
    profile = await makeFolder(user, join(tmpdir(), 'scan-audit-browser-'));
    // Hundreds of modules: only who starts a browser waits for them.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath: process.execPath,
      args: [relay, endFile, ...user.prefix, program.path, ...browserArgs(profile, sandbox)],
      // Playwright's own arguments would change what pages may do. It ends when our end of its pipe is closed.
      ignoreDefaultArgs: true,
      env: { ...program.env, HOME: profile },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: startMs,
    });
    const ended = new Promise<BrowserEnd | undefined>((resolve) => {
      browser.once('disconnected', () => resolve(end().catch(() => undefined)));
    });
    return { browser, ended };
  } catch (error) {
    const known = await end().catch(() => undefined);
    throw new Error(known ? describeEnd(known) : firstLine(error), { cause: error });
  }
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];
