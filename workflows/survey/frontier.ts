import type { Refused } from '../model/gate.ts';
import type { SkipCode, Skipped } from '../model/skipped.ts';
import type { Scope } from '../probe/scope.ts';
import { isOverview, maxUrlLength, shapeOf, whyNot } from './asking.ts';
import { createFolders } from './folders.ts';
import { createIndexPages, type IndexPages } from './index-pages.ts';
import type { Lead } from './lead.ts';
import type { Tally } from './left-out.ts';
import { createSiblingViews } from './sibling-views.ts';
import { createTemplate, type PageLook, type Template } from './template.ts';
import { createViews } from './views.ts';

export type Frontier = {
  /**
   * Takes a URL up when it is in scope, harmless and new.
   * @param refused what the control that leads there says of itself
   */
  add(lead: Lead, refused?: Refused): void;
  /** A URL that an earlier survey has seen is not taken up. */
  know(url: string): void;
  /**
   * The next URL to fetch: those of routes not seen yet go first, then of each route a few that are spread over it.
   * @returns undefined when there is none now; there may be when those on their way have been seen
   */
  next(): Lead | undefined;
  /** What a URL that `next` gave looks like; undefined when it gave no answer. */
  saw(lead: Lead, look: PageLook | undefined): void;
  /** Addresses that go by the name of a file are taken up by that of its folder, where both were seen to show the same. */
  indexPages: IndexPages;
  /** Counts URLs beyond a bound, of which one is known. */
  leave(example: string, count: number): void;
  /** Paths and parameters that were taken up. */
  places(): number;
  /** The parameters among them. */
  parameters(): number;
  /**
   * URLs that will not be fetched, for instance: of many alike, one. All are counted.
   * @param end why the survey ended before all was fetched
   */
  left(end: SkipCode): Skipped[];
};

const maxWaiting = 5_000;
/** Addresses that may be none. */
const maxGuesses = 400;
/** While fewer pages were fetched, routes with few pages are not folded. */
const roomy = 350;
/** While fewer pages were fetched, all combinations of parameters may be. */
const freeViews = 100;
const maxSkipped = 500;
/** Addresses that are distinguished, whatever their length. */
const maxSeen = 20_000;
/**
 * @param excludedPaths path prefixes that are never requested
 * @param tally counts what is left out
 * @param refusalOf what the write gate says of asking for a URL
 * @param isNobody no session goes with the requests
 */
export function createFrontier(
  scope: Scope,
  excludedPaths: readonly string[],
  tally: Tally,
  refusalOf: (url: string) => Refused | undefined,
  isNobody = true,
): Frontier {
  const bounds = { scope, excludedPaths, refusalOf };
  const seen = new Set<string>();
  const templates = new Map<string, Template>();
  const folders = createFolders();
  const views = createViews();
  const siblings = createSiblingViews();
  const indexPages = createIndexPages();
  const skipped: Skipped[] = [];
  const guesses = new Map<string, Lead>();
  const tried = new Set<string>();
  /** What only a control that leads there speaks against: another one may show that it is a page. */
  const held = new Map<string, { lead: Lead; refused: Refused }>();
  let waiting = 0;
  let given = 0;

  const skip = ({ url }: Lead, { code, reason }: Omit<Skipped, 'url'>) => {
    tally.add(code, url);
    if (skipped.length < maxSkipped) skipped.push({ url, code, reason });
  };

  /** Kept until all others were fetched: by then it may be known. */
  const guess = (lead: Lead) => {
    if (lead.url.length > maxUrlLength || !URL.canParse(lead.url)) return;
    const url = new URL(lead.url);
    url.hash = '';
    if (!scope.coversUrl(url.href) || seen.has(pageOf(url)) || guesses.has(url.href)) return;
    if (guesses.size >= maxGuesses) return tally.addWord('guessed', url.href);
    guesses.set(url.href, { ...lead, url: url.href });
  };

  const nextGuess = (): Lead | undefined => {
    for (const [key, lead] of guesses) {
      const url = new URL(key);
      if (tried.has(key)) continue;
      tried.add(key);
      if (seen.has(pageOf(url)) || whyNot(bounds, url)) continue;
      seen.add(pageOf(url));
      return lead;
    }
    return undefined;
  };

  const openTemplate = (url: URL): Template => {
    const template = createTemplate();
    templates.set(shapeOf(url), template);
    folders.took(url);
    return template;
  };

  const takeKept = (lead: Lead): Lead | undefined => {
    const url = new URL(lead.url);
    const template = templates.get(shapeOf(url)) ?? openTemplate(url);
    template.add(lead);
    const taken = template.take(true);
    if (taken) views.took(new URL(taken.url));
    return taken;
  };

  /** The same path of another scheme or port of the host shows the same page. */
  const keyOf = (url: URL): string => (scope.coversUrl(url.href) ? pageOf(url) : url.href);

  /** Taken up by the name of a file before its folder was seen to show the same. */
  const isTwin = ({ url }: Lead): boolean => {
    const byFolder = indexPages.byFolder(url);
    return byFolder !== url && seen.has(keyOf(new URL(byFolder)));
  };

  const takeUntwinned = (template: Template, isRoomy: boolean): Lead | undefined => {
    for (let lead = template.take(isRoomy); lead; lead = template.take(isRoomy)) {
      if (!isTwin(lead)) return lead;
      waiting -= 1;
      template.saw(undefined);
      tally.addWord('alike', lead.url);
    }
    return undefined;
  };

  const isKnownView = (template: Template): boolean => {
    const lead = template.waiting();
    if (!lead?.url.includes('?')) return false;
    const url = new URL(lead.url);
    return siblings.isKnown(url) || (given >= freeViews && views.isKnown(url));
  };

  return {
    know(url) {
      if (URL.canParse(url)) seen.add(keyOf(new URL(url)));
    },
    add(added, refused) {
      const { url: given, source } = added;
      if (added.isMade && !isNobody) return;
      if (added.isGuess) return guess(added);
      if (given.length > maxUrlLength)
        return skip(
          { url: given.slice(0, maxUrlLength), source },
          { code: 'url-too-long', reason: 'the URL is too long' },
        );
      if (!URL.canParse(given)) return;
      const url = new URL(indexPages.byFolder(given));
      url.hash = '';
      const key = keyOf(url);
      if (seen.has(key) && (refused || !held.delete(key))) return;
      if (seen.size >= maxSeen) return tally.add('too-many', url.href);
      seen.add(key);
      const lead = { url: url.href, source };
      const reason = whyNot(bounds, url);
      const isByControl = reason === undefined || reason.code === 'refused-before';
      if (refused && isByControl && (added.isAsked || isOverview(url))) return void held.set(key, { lead, refused });
      if (reason) return skip(lead, reason);
      if (refused) return skip(lead, refused);
      let template = templates.get(shapeOf(url));
      const isRoomy = templates.size < maxWaiting;
      if (!template && (folders.isFull(url) || !isRoomy)) {
        views.add(url);
        return folders.keep(lead, url, isRoomy);
      }
      template ??= openTemplate(url);
      if (waiting >= maxWaiting) return template.drop(lead);
      waiting += 1;
      views.add(url);
      template.add(lead);
    },
    next() {
      const open = [...templates.values()].toSorted((a, b) => a.taken() - b.taken());
      const take = (isRoomy: boolean): Lead | undefined => {
        for (const template of open) {
          if (isKnownView(template)) continue;
          const lead = takeUntwinned(template, isRoomy);
          if (!lead) continue;
          waiting -= 1;
          views.took(new URL(lead.url));
          return lead;
        }
        return undefined;
      };
      const lead =
        take(false) ?? nextGuess() ?? (given < roomy ? (take(true) ?? folders.nextFruitful(takeKept)) : undefined);
      if (lead) given += 1;
      return lead;
    },
    indexPages,
    leave: (example, count) => tally.add('too-many', example, count),
    places: views.places,
    parameters: views.parameters,
    saw({ url: text }, look) {
      const url = new URL(text);
      views.saw(url, look);
      siblings.saw(url, look);
      templates.get(shapeOf(url))?.saw(look);
      folders.saw(url, look);
    },
    left(end) {
      for (const { lead, refused } of held.values()) skip(lead, refused);
      held.clear();
      const rest: Skipped[] = [];
      const leave = (url: string, count: number, code: SkipCode) => {
        if (count === 0) return;
        tally.add(code, url, count);
        rest.push({ url, code, reason: reasons[code] ?? 'it was left out' });
      };
      for (const template of templates.values()) {
        const { count, example = '' } = template.left();
        const code =
          template.isCovered() || isKnownView(template) ? 'folded' : template.isExhausted() ? 'template-unseen' : end;
        leave(example, count, code);
      }
      for (const { count, example, isCovered } of folders.left())
        leave(example, count, isCovered ? 'folded' : 'template-unseen');
      return [...skipped, ...rest.slice(0, maxSkipped)];
    },
  };
}

/**
 * Programs that add to the address they were asked for write the same parameters in many orders, of which only that of one name twice
 * matters, and one with one value as often as it was chosen.
 */
function pageOf({ pathname, search }: URL): string {
  const nameOf = (pair: string) => pair.replace(/=.*/s, '');
  const pairs = [...new Set(search.slice(1).split('&'))];
  const sorted = pairs.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  return search === '' ? pathname : `${pathname}?${sorted.join('&')}`;
}

const reasons: Partial<Record<SkipCode, string>> = {
  folded: 'enough pages like it were seen',
  'template-unseen': 'the pages of its route differ, and many were seen',
  budget: 'the budget was used up',
  'out-of-time': 'the time limit was reached',
  'session-lost': 'the session ended and could not be renewed',
  'too-many': 'too many pages',
  failed: 'the site no longer answered',
};
