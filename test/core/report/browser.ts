import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { bundledChromium, bundledFonts } from '../../../workflows/probe/browser/files.ts';

/** A real Chromium with its web security on and the project's fonts. CHROMIUM_PATH replaces the one from npm. */
export async function launchBrowser(): Promise<Browser> {
  const program = process.env.CHROMIUM_PATH ? { path: process.env.CHROMIUM_PATH, env: {} } : await bundledChromium();
  const folder = await mkdtemp(join(tmpdir(), 'report-browser-'));
  const browser = await driver.launch({
    executablePath: program.path,
    args: [
      '--headless=new',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    env: { ...program.env, ...(await bundledFonts()), HOME: folder },
  });
  browser.once('disconnected', () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}));
  return browser;
}

/** Everything that a page does from now on beyond showing itself; the list grows. What it asks for goes nowhere. */
export async function watch(page: Page): Promise<string[]> {
  const deeds: string[] = [];
  page.on('dialog', async (dialog) => {
    deeds.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('console', (message) => deeds.push(`console ${message.text()}`));
  page.on('pageerror', (error) => deeds.push(`error ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:image/svg+xml,')) deeds.push(`request ${request.url()}`);
  });
  await page.route('**/*', (route) => route.abort());
  return deeds;
}
