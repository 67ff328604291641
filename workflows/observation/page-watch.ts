import type { Exchange } from '../model/http.ts';
import { changesBetween, type ShownTexts, shownIn } from './shown.ts';

/**
 * A page as it was read now; `isPartial` when a cache may have kept it, or it shows more than is read: a missing change there
 * proves nothing.
 */
export type WatchedPage = { url: string; shown: ShownTexts; text: string; isPartial: boolean };

/**
 * Watches pages for changes that are not their own: what differs between two readings with nothing sent in between (counters, random
 * texts, advertisements) is not evidence from then on.
 */
export type PageWatch = {
  /**
   * Reads pages until their own noise is known, and that of reading the others: one shows which were read last. Not again when nothing
   * was sent since, and none is new. Without those that are not shown.
   */
  before(urls: readonly string[]): Promise<WatchedPage[]>;
  /** Reads it again. `changed` when something that was steady is not as before, and stays so. */
  after(before: WatchedPage): Promise<{ reading: WatchedPage; changed: boolean } | undefined>;
  read(url: string): Promise<WatchedPage | undefined>;
  /** Something is sent that may change pages. */
  sending(): void;
};

/** Readings that have to agree on a change: what is random agrees by chance. */
const confirmations = 3;

/** @param get a page as the visitor is shown it; undefined when it is not */
export function createPageWatch(get: (url: string) => Promise<Exchange | undefined>): PageWatch {
  const unsteady = new Map<string, Set<string>>();
  const last = new Map<string, WatchedPage>();
  const asked = new Set<string>();
  /** Pages that were read since something was sent. */
  const current = new Set<string>();
  const keep = (reading: WatchedPage) => {
    last.set(reading.url, reading);
    current.add(reading.url);
  };

  const read = async (url: string): Promise<WatchedPage | undefined> => {
    const exchange = await get(url);
    if (exchange?.status !== 200) return undefined;
    const { shown, isCut } = shownIn(exchange);
    return { url, shown, text: exchange.text, isPartial: isCut || isStale(exchange) };
  };
  const noise = (url: string): Set<string> => {
    const known = unsteady.get(url) ?? new Set<string>();
    unsteady.set(url, known);
    return known;
  };
  const note = (before: WatchedPage, now: WatchedPage) => {
    for (const place of changesBetween(before.shown, now.shown)) noise(now.url).add(place);
  };
  const steadyChanges = (before: WatchedPage, now: WatchedPage): string[] =>
    changesBetween(before.shown, now.shown).filter((place) => !noise(now.url).has(place));

  /** Whether a page shows that others were read. The start page, which lists that if any does, comes last. */
  const isStirred = async (url: string | undefined): Promise<boolean> => {
    const known = url === undefined ? undefined : last.get(url);
    const now = known && (await read(known.url));
    if (!now) return false;
    const changes = steadyChanges(known, now);
    note(known, now);
    keep(now);
    return changes.length > 0;
  };

  return {
    read,
    sending: () => current.clear(),
    async before(urls) {
      const unread = urls.filter((url) => !asked.has(url));
      for (const url of unread) {
        asked.add(url);
        const first = await read(url);
        if (first) last.set(url, first);
      }
      const others = urls.filter((url) => current.has(url));
      const stirred = unread.length > 0 && (await isStirred(others.at(-1)));
      const readings: WatchedPage[] = [];
      for (const url of urls) {
        const known = last.get(url);
        if (!known) continue;
        const isCurrent = current.has(url) && !(stirred && url !== others.at(-1));
        const now = isCurrent ? known : await read(url);
        if (!now) continue;
        note(known, now);
        keep(now);
        readings.push(now);
      }
      return readings;
    },
    async after(before) {
      let reading = await read(before.url);
      if (!reading) return undefined;
      const first = reading;
      for (let times = 0; times < confirmations && steadyChanges(before, first).length > 0; times += 1) {
        const again = await read(before.url);
        if (!again) break;
        note(first, again);
        reading = again;
      }
      keep(reading);
      return { reading, changed: steadyChanges(before, first).length > 0 };
    },
  };
}

/** A shared cache says so. Source: RFC 9111 §5.1, RFC 9211. */
const isStale = (exchange: Exchange): boolean =>
  Number(exchange.header('age')) > 0 ||
  ['x-cache', 'cf-cache-status', 'cache-status'].some((name) => /\bhit\b/i.test(exchange.header(name) ?? ''));
