import type { BrowserContext } from 'playwright-core';
import type { BrowserResult, WebStorage } from '../../model/browser.ts';

/** Puts entries into a context before the first script of a page runs. What a page has emptied is filled again by the next one. */
export async function fillStorage(context: BrowserContext, storage: WebStorage): Promise<void> {
  if (Object.keys(storage).length > 0) await context.addInitScript(fill, storage);
}

/** Runs in the page, so it may use nothing from outside. */
function fill(storage: WebStorage): void {
  const kept = storage[location.origin];
  if (!kept) return;
  const areas = [
    [localStorage, kept.local],
    [sessionStorage, kept.session],
  ] as const;
  for (const [area, entries] of areas)
    if (area.length === 0) for (const [name, value] of Object.entries(entries)) area.setItem(name, value);
}

/** Brings a session's storage up to date with what the page's origin has now. */
export function keepStorage(storage: WebStorage, { finalUrl, localStorage, sessionStorage }: BrowserResult): void {
  const origin = URL.parse(finalUrl)?.origin ?? 'null';
  if (origin !== 'null') storage[origin] = { local: localStorage, session: sessionStorage };
}
