import type { Page } from 'playwright-core';

/** What the page's scripts keep in its storage: names and values, of as much as is kept for a page that is explored. */
export type StoredEntries = Record<'localStorage' | 'sessionStorage', [string, string][]>;

const maxEntries = 200;
const maxLength = 64 * 1024;

/** @returns undefined where there is none to read, or more than is kept */
export async function readStored(page: Page): Promise<StoredEntries | undefined> {
  const read = await page
    .evaluate(() => ({ localStorage: Object.entries(localStorage), sessionStorage: Object.entries(sessionStorage) }))
    .catch(() => undefined);
  if (!read) return undefined;
  const all = [...read.localStorage, ...read.sessionStorage];
  const length = all.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  return all.length <= maxEntries && length <= maxLength ? read : undefined;
}

/** Puts back what was there before: a page must not send later what a control has put into its queue. */
export async function restoreStored(page: Page, stored: StoredEntries): Promise<void> {
  await page
    .evaluate((entries) => {
      for (const name of ['localStorage', 'sessionStorage'] as const) {
        globalThis[name].clear();
        for (const [key, value] of entries[name]) globalThis[name].setItem(key, value);
      }
    }, stored)
    .catch(() => {});
}
