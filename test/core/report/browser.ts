import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** A real Chromium with its web security on. CHROMIUM_PATH replaces the one from npm. */
export async function launchBrowser(): Promise<Browser> {
  return driver.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [
      '--headless=new',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
