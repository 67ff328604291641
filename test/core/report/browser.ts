import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver, type Page } from 'playwright-core';

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
