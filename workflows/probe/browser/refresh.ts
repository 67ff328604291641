import type { Page } from 'playwright-core';
import type { HeaderList } from '../../model/http.ts';
import { refreshOf } from '../../model/refresh.ts';

/** A page that shows for longer before it leads elsewhere gives its visitor time to see where. */
const mostSeconds = 5;
/** For the browser to follow. */
const spareMs = 700;

/** Waits where a page says that the browser shall go to another site in a few seconds (HTML Standard, shared declarative refresh steps). */
export async function followRefresh(page: Page, headers: HeaderList, timeoutMs: number): Promise<void> {
  const isRefresh = ([name]: readonly [string, string]) => name.toLowerCase() === 'refresh';
  const inPage = await page
    .evaluate(() =>
      [...document.querySelectorAll('meta[http-equiv="refresh" i]')].map((meta) => meta.getAttribute('content') ?? ''),
    )
    .catch((): string[] => []);
  const from = page.url();
  const leaving = [...headers.filter(isRefresh).map(([, value]) => value), ...inPage].flatMap((content) => {
    const refresh = refreshOf(content);
    const target = refresh && URL.parse(refresh.address, from);
    return target && target.origin !== URL.parse(from)?.origin && refresh.seconds <= mostSeconds ? refresh.seconds : [];
  });
  if (leaving.length === 0) return;
  const timeout = Math.min(timeoutMs, Math.min(...leaving) * 1_000 + spareMs);
  await page.waitForURL((url) => url.href !== from, { timeout, waitUntil: 'commit' }).catch(() => {});
}
