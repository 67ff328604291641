import { likenessOf, type PageShape } from '../../probe/crawl/page-shape.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext, PageSurface } from '../contract.ts';

type Teller = Pick<CheckContext, 'leave'>;

/**
 * The first of some places that a check looks at; the others are told of as a gap.
 * @param what for instance "script files"
 */
export function atMost<T>({ leave }: Teller, items: readonly T[], max: number, what: string): T[] {
  const count = items.length - max;
  const text = `${count} of ${items.length} ${what} were not looked at: the check looks at ${max} at most`;
  if (count > 0) leave({ code: 'too_many', count, text });
  return items.slice(0, max);
}

/** So many pages that are built alike speak for the others, after the survey has compared eight of their route. */
const enoughAlike = 3;
/** Pages that share so much of how they are built are built alike. */
const likeness = 0.85;

/**
 * Pages that a check looks at: of each route and build the first, then the second of each, and so on, in the given order.
 * Those that are left out are a limit when enough that are built alike are looked at, and a gap otherwise.
 */
export function pagesAtMost({ leave }: Teller, pages: readonly PageSurface[], max: number): PageSurface[] {
  if (pages.length <= max) return [...pages];
  const kinds = kindsOf(pages);
  const turns = new Map(kinds.flatMap((kind) => kind.map((page, turn) => [page, turn] as const)));
  const chosen = new Set(pages.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0)).slice(0, max));
  let [alike, unseen] = [0, 0];
  for (const kind of kinds) {
    const left = kind.filter((page) => !chosen.has(page)).length;
    if (kind.length - left >= enoughAlike) alike += left;
    else unseen += left;
  }
  const told = (count: number, why: string) => `${count} of ${pages.length} pages were not looked at: ${why}`;
  if (alike > 0)
    leave({ code: 'alike', count: alike, text: told(alike, `${enoughAlike} or more that are built alike were`) });
  if (unseen > 0)
    leave({ code: 'too_many', count: unseen, text: told(unseen, `the check looks at ${max} pages at most`) });
  return pages.filter((page) => chosen.has(page));
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
      const route = normaliseRoute(page.url);
      others.set(route, [...(others.get(route) ?? []), page]);
    }
  }
  return [...built.map((kind) => kind.pages), ...others.values()];
}
