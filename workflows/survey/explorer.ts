import type { Explored } from '../model/browser.ts';
import type { Identity } from '../model/identity.ts';
import { omissionCodeOf } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { ExploredPage } from '../model/surface.ts';
import { landingOf } from '../probe/browser/explore/landing.ts';
import type { OpenProbes } from '../probe/open.ts';
import { createKnownPages } from './known-pages.ts';
import type { Tally } from './left-out.ts';
import { namesUser } from './names-user.ts';
import { likenessOf } from './page-shape.ts';
import { createShells, type DrawnPage, isGuessed, type Naming, waysToName } from './shells.ts';

/** A page that script takes part in, and what its script is: pages with the same script do the same. */
type Scripted = Omit<ExploredPage, 'isDrawn'> & {
  url: string;
  /** What its HTML is: the same behind all addresses of an application that draws its pages by script. */
  body?: string;
  /** What shows that there is such a page; a page leads there when not given. */
  named?: Naming;
};

export type Explorer = {
  /** Takes a page up when its script was not seen often enough. */
  add(page: Scripted): void;
  /** Takes up pages that were left for others with the same script. @returns whether there were any */
  addLeft(isMeant: (url: string) => boolean): boolean;
  /** Explores what is waiting. @param take is given each page as it was used */
  run(take: Take): Promise<boolean>;
  /** Counts what is still waiting. */
  leave(): void;
  /** What was used, and no page that was only meant to be. */
  explored(): ExploredPage[];
};

type Take = (explored: Explored, url: string) => Promise<DrawnPage>;
type WaitingPage = { url: string; page: ExploredPage; named: Naming; body?: string };

/** Pages that share less than this with their HTML are drawn by script. */
const drawnLikeness = 0.8;
/** Browsers at the same time: each instrument allows two. */
const width = 2;
const pageMs = 20_000;
/** A page has less time the more others with its script were used: most of what it offers, they offered. */
const timesByUses = [
  { uses: 16, ms: pageMs / 4 },
  { uses: 4, ms: pageMs / 2 },
];
const timeAfter = (others: number): number => timesByUses.find(({ uses }) => others >= uses)?.ms ?? pageMs;
/** What a survey takes, depending on what was asked for, and on what was seen before: a user of the same role, or the visitor, was shown most of it. */
const bounds = {
  standard: { pages: 60, totalMs: 90_000 },
  deep: { pages: 200, totalMs: 300_000 },
  alike: { pages: 100, totalMs: 120_000 },
  further: { pages: 60, totalMs: 90_000 },
};

/** Pages left for others with the same script that are remembered. */
const maxLeft = 500;
/** After so many pages with one script in a row that have shown nothing more, the others with it are left; more than `maxForHooks` of known-pages.ts. */
const maxBarren = 12;
/** Of pages that ask for the same, or that one script draws, so many are used again by each visitor: it mostly does so on all pages. */
const maxAsking = 4;

export function createExplorer({
  browser,
  identity,
  signal,
  tally,
  depth,
  explored,
}: {
  browser: OpenProbes['browser'];
  identity: Identity | undefined;
  signal: AbortSignal;
  tally: Tally;
  depth: keyof typeof bounds;
  /** What other visitors' surveys have explored. */
  explored: readonly ExploredPage[];
}): Explorer {
  const { pages: maxPages, totalMs } = bounds[depth];
  // What script draws depends on who is logged in, above all where it keeps that itself.
  const known = createKnownPages(namesUser(identity?.storage) ? [] : explored.filter(({ isDrawn }) => !isDrawn));
  const own: ExploredPage[] = [];
  const seen = new Set<string>();
  const waiting: WaitingPage[] = [];
  /** The next one: what is most likely a page goes first. */
  const shift = (mayGuess: boolean): WaitingPage | undefined => {
    for (const way of waysToName) {
      if (isGuessed(way) && !mayGuess) break;
      const index = waiting.findIndex(({ named }) => named === way);
      if (index >= 0) return waiting.splice(index, 1)[0];
    }
    return undefined;
  };
  /** Those that gave no answer in time beside others: each is used once more, alone. */
  const failed: WaitingPage[] = [];
  const alike: WaitingPage[] = [];
  const shells = createShells();
  /** Controls that led to one address from one page, and those that did from two: the site's menu. */
  const [ledOnce, menu] = [new Set<string>(), new Set<string>()];
  /** Where pages stood that were used, or led there. */
  const places = new Set<string>();
  /** By the script of pages, how many one after the other have shown no form and asked for nothing that was not known. */
  const barren = new Map<string, number>();
  const usesOf = new Map<string, number>();
  let count = 0;
  let spentMs = 0;
  let isUnavailable: boolean | undefined;
  /** Pages whose script asks the site for more as soon as they are open, and with a session for what, each with how many do. */
  let asking = 0;
  const askedBy = new Map<string, number>();
  const drawnBy = new Map<string, number>();
  const asksAnew = (explored: Explored, pageUrl: string): boolean => {
    const anew = routesAsked(explored, pageUrl).filter((route) => (askedBy.get(route) ?? 0) < maxAsking);
    for (const route of anew) askedBy.set(route, (askedBy.get(route) ?? 0) + 1);
    return anew.length > 0;
  };

  /** Script that draws without asking for anything mostly draws the same frame on all pages. */
  const fewDrawn = (code: string): boolean => {
    drawnBy.set(code, (drawnBy.get(code) ?? 0) + 1);
    return (drawnBy.get(code) ?? 0) <= maxAsking;
  };

  const one = async (waited: WaitingPage, take: Take, isAgain: boolean) => {
    const { url, page, named, body } = waited;
    const uses = usesOf.get(page.code) ?? 0;
    usesOf.set(page.code, uses + 1);
    try {
      const result = await browser.explore({
        ...{ url, headers: identity?.headers ?? [], timeoutMs: timeAfter(uses), led: menu, places },
        ...(identity ? { jar: identity.jar } : {}),
        ...(identity?.storage ? { storage: structuredClone(identity.storage) } : {}),
      });
      places.add(landingOf(result.finalUrl, url));
      const shown = await take(result, url);
      if (!isGuessed(named)) barren.set(page.code, shown.isMore ? 0 : (barren.get(page.code) ?? 0) + 1);
      for (const each of result.led) (ledOnce.has(each) ? menu : ledOnce).add(each);
      const [first] = shown.shapes;
      const isDrawn =
        first !== undefined &&
        page.shape !== undefined &&
        likenessOf(first, page.shape) < drawnLikeness &&
        (identity === undefined || fewDrawn(page.code));
      const isAsking = identity ? asksAnew(result, url) : asking < maxAsking && asksForMore(result, url);
      if (isAsking) asking += 1;
      own.push(isDrawn || isAsking ? { ...page, isDrawn: true } : page);
      if (body !== undefined) shells.saw(body, named, shown);
      if (result.unused > 0) tally.addWord('controls_unused', url, result.unused);
      if (result.alike > 0) tally.addWord('alike', url, result.alike);
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      if (!isAgain && (error.code === 'timeout' || error.code === 'browser_failed')) failed.push(waited);
      else tally.addWord(omissionCodeOf(error.code, 'unreachable'), url);
    }
  };

  const isSpent = ({ body, named, page }: WaitingPage): boolean =>
    (barren.get(page.code) ?? 0) >= maxBarren || (body !== undefined && shells.isSpent(body, named));

  return {
    add({ url, body, named = 'by-page', ...page }) {
      if (seen.has(url)) return;
      const found = { url, page, named, ...(body === undefined ? {} : { body }) };
      if (!known.take(page, named)) {
        if (alike.length < maxLeft && !isGuessed(named)) alike.push(found);
        return;
      }
      seen.add(url);
      waiting.push(found);
    },
    addLeft(isMeant) {
      const meant = alike.splice(0).filter(({ url }) => !seen.has(url) && isMeant(url));
      for (const found of meant) {
        seen.add(found.url);
        waiting.push(found);
      }
      return meant.length > 0;
    },
    async run(take) {
      if (waiting.length === 0) return false;
      isUnavailable ??= (await browser.unavailable()) !== undefined;
      if (isUnavailable) return false;
      const startMs = performance.now();
      const hasEnded = () => count >= maxPages || spentMs + performance.now() - startMs > totalMs;
      const before = count;
      // Links of a page may show whether a guess is right, or which one is.
      const mayGuess = waiting.every(({ named }) => isGuessed(named));
      const underWay = new Set<Promise<void>>();
      for (;;) {
        signal.throwIfAborted();
        const first = hasEnded() ? undefined : shift(mayGuess);
        const next = first ?? (hasEnded() || underWay.size > 0 ? undefined : failed.shift());
        if (next && isSpent(next)) {
          tally.addWord('alike', next.url);
          continue;
        }
        if (next) {
          count += 1;
          const exploring: Promise<void> = one(next, take, first === undefined).finally(() =>
            underWay.delete(exploring),
          );
          underWay.add(exploring);
        }
        if (underWay.size === 0) break;
        if (!first || underWay.size >= width) await Promise.race(underWay);
      }
      spentMs += performance.now() - startMs;
      return count > before;
    },
    explored: () => own,
    leave() {
      const [next] = waiting;
      if (next) tally.addWord(isUnavailable ? 'browser_unavailable' : 'scripts_unseen', next.url, waiting.length);
      for (const { url } of failed) tally.addWord('unreachable', url);
    },
  };
}

/** A script of the page asks for data by itself: what it is given, and what it asks for then, may be others for somebody logged in. */
const asksForMore = ({ requests }: Explored, pageUrl: string): boolean =>
  requests.some(
    (request) =>
      isToSite(request, pageUrl) && request.method === 'GET' && request.control === undefined && !request.refused,
  );

/** What scripts of the page send, which may name what is the user's own: each program once. */
const routesAsked = ({ requests }: Explored, pageUrl: string): string[] => [
  ...new Set(
    requests
      .filter((request) => isToSite(request, pageUrl))
      .map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/\d+/g, '0')}`),
  ),
];

function isToSite({ url }: Explored['requests'][number], pageUrl: string): boolean {
  const [asked, page] = [URL.parse(url), new URL(pageUrl)];
  return asked?.origin === page.origin && asked.pathname !== page.pathname && !/\.\w{2,5}$/.test(asked.pathname);
}
