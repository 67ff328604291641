import type { PageShape, PageSurface } from '../../model/surface.ts';
import { wasOrWere } from '../../model/words.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { likenessOf } from '../../survey/page-shape.ts';
import type { CheckContext } from '../contract.ts';

/** Takes reports of what is left out. */
export type OmissionReporter = Pick<CheckContext, 'leave'>;

/**
 * The first of some places that a check looks at; the others are reported as a gap.
 * @param what for instance "script files"
 */
export function atMost<T>({ leave }: OmissionReporter, items: readonly T[], max: number, what: string): T[] {
  const count = items.length - max;
  const text = `${count} of ${items.length} ${what} ${wasOrWere(count)} not looked at: the check looks at ${max} at most`;
  if (count > 0) leave({ code: 'too_many', count, text });
  return items.slice(0, max);
}

/**
 * A bound on places, widened as far as a quarter of what the check may look with goes.
 * @param requestsEach that a place costs
 */
export const widened = ({ allowance }: Pick<CheckContext, 'allowance'>, max: number, requestsEach = 1): number =>
  Math.max(max, Math.floor(allowance() / 4 / requestsEach));

/** So many places of one kind stand for the others of it. For pages, the survey has compared eight of their route before. */
const enoughAlike = 3;
/** Pages that share so much of how they are built are built alike. */
const likeness = 0.85;

type Kinds<T> = {
  max: number;
  /** Of one kind so many at most; `max` when not given. */
  maxOfKind?: number;
  kindOf: (item: T) => string;
  /** So many of a kind stand for the others of it; 3 when not given. */
  enough?: number;
};

/**
 * Places that a check looks at: of each kind the first, then the second of each, and so on, in the given order. Those that are left
 * out are a limit when enough of their kind are looked at, and a gap otherwise.
 * @param what for instance "script files"
 */
export function eachKindAtMost<T>(
  { leave }: OmissionReporter,
  items: readonly T[],
  { max, maxOfKind = max, kindOf, enough = enoughAlike }: Kinds<T>,
  what: string,
): T[] {
  const kinds = [...Map.groupBy(items, kindOf).values()];
  const chosen = inTurns(kinds, max, maxOfKind);
  reportLeft(leave, kinds, chosen, enough, [what, `${enough === 1 ? 'one' : `${enough} or more`} of their kind`, max]);
  return items.filter((item) => chosen.has(item));
}

/**
 * Pages that a check looks at: of each route and build the first, then the second of each, and so on, in the given order.
 * Those that are left out are a limit when enough that are built alike are looked at, and a gap otherwise.
 */
export function pagesAtMost({ leave }: OmissionReporter, pages: readonly PageSurface[], max: number): PageSurface[] {
  const kinds = kindsOf(pages);
  const chosen = inTurns(kinds, max, max);
  reportLeft(leave, kinds, chosen, enoughAlike, ['pages', `${enoughAlike} or more that are built alike`, max]);
  return pages.filter((page) => chosen.has(page));
}

/** The likeliest places of a guess, of which there is no end: the others are a limit. */
export function likeliest<T>({ leave }: OmissionReporter, items: readonly T[], max: number, what: string): T[] {
  const count = items.length - max;
  const text = `${count} of ${items.length} ${what} ${wasOrWere(count)} left out: the check tries its guesses at ${max} at most`;
  if (count > 0) leave({ code: 'guessed', count, text });
  return items.slice(0, max);
}

/**
 * Some places of many at which one setting of the whole application shows; the others are reported as a limit.
 * @param why for instance "a cache has the same rules for most pages"
 */
export function sample<T>(
  { leave }: OmissionReporter,
  items: readonly T[],
  max: number,
  what: string,
  why: string,
): T[] {
  const count = items.length - max;
  const text = `${count} of ${items.length} ${what} ${wasOrWere(count)} not looked at: ${why}, and ${max} ${wasOrWere(max)} looked at`;
  if (count > 0) leave({ code: 'alike', count, text });
  return items.slice(0, max);
}

/** The same for pages, of each route and build one before the second of any. */
export function samplePages(
  context: OmissionReporter,
  pages: readonly PageSurface[],
  max: number,
  why: string,
): PageSurface[] {
  const chosen = inTurns(kindsOf(pages), max, max);
  const left = pages.filter((page) => !chosen.has(page));
  return sample(context, [...pages.filter((page) => chosen.has(page)), ...left], max, 'pages', why);
}

/** The first of each kind, then the second of each, and so on. */
function inTurns<T>(kinds: readonly T[][], max: number, maxOfKind: number): Set<T> {
  const turns = kinds.flatMap((kind) => kind.slice(0, maxOfKind).map((item, turn) => ({ item, turn })));
  return new Set(
    turns
      .toSorted((a, b) => a.turn - b.turn)
      .slice(0, max)
      .map(({ item }) => item),
  );
}

function reportLeft<T>(
  leave: OmissionReporter['leave'],
  kinds: readonly T[][],
  chosen: ReadonlySet<T>,
  enough: number,
  [what, others, max]: [what: string, others: string, max: number],
): void {
  let [alike, unseen] = [0, 0];
  for (const kind of kinds) {
    const left = kind.filter((item) => !chosen.has(item)).length;
    if (kind.length - left >= enough) alike += left;
    else unseen += left;
  }
  const all = kinds.reduce((sum, { length }) => sum + length, 0);
  const textFor = (count: number, why: string) =>
    `${count} of ${all} ${what} ${wasOrWere(count)} not looked at: ${why}`;
  if (alike > 0)
    leave({ code: 'alike', count: alike, text: textFor(alike, `${others} ${enough === 1 ? 'was' : 'were'}`) });
  if (unseen > 0)
    leave({ code: 'too_many', count: unseen, text: textFor(unseen, `the check looks at ${max} ${what} at most`) });
}

/** Pages by how they are built, or by their route where that is not known. */
function kindsOf(pages: readonly PageSurface[]): PageSurface[][] {
  const built: { shape: PageShape; pages: PageSurface[] }[] = [];
  const others = new Map<string, PageSurface[]>();
  for (const page of pages) {
    const { shape } = page;
    if (shape) {
      const known = built.find((kind) => likenessOf(kind.shape, shape) >= likeness);
      if (known) known.pages.push(page);
      else built.push({ shape, pages: [page] });
    } else {
      const route = partRoute(page.url);
      others.set(route, [...(others.get(route) ?? []), page]);
    }
  }
  return [...built.map((kind) => kind.pages), ...others.values()];
}
