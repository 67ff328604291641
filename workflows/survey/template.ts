import type { PageShape } from '../model/surface.ts';
import type { Lead } from './lead.ts';
import { likenessOf } from './page-shape.ts';

/** What decides whether two pages are made by the same code. */
export type PageLook = {
  status: number;
  contentType: string;
  shape?: PageShape | undefined;
  /** It has a form that goes to its own address, so that what is sent there is its own, however alike the pages are. */
  takesInput?: boolean;
  /** All such forms of it are on other pages, too: a list under a query that filters it. */
  sharesInput?: boolean;
  /** It led to no path, parameter, form or script that was not known. */
  isBarren?: boolean;
  /** It led to a parameter or a form that was not known. */
  hasNewInputs?: boolean;
};

/** So many compared pages that are built alike stand for the rest of their route. */
export const enoughAlike = 8;
/** While the pages of a route differ, so many of them are fetched. */
const maxFetched = 24;
/** A route with no more pages than these is fetched as a whole where the limits allow it. */
const fewPages = 40;
/** The same for pages each of which takes input of its own. */
const fewForms = 120;
/** Pages that share so much of how they are built are built alike. */
const likeness = 0.85;

/** Pages that were compared, in groups of those that are built alike. */
export function createComparison() {
  const groups: { look: PageLook; count: number }[] = [];
  let most = 0;
  return {
    /** @returns whether one like it was known */
    add(look: PageLook): boolean {
      const known = groups.find((group) => areAlike(group.look, look));
      const group = known ?? { look, count: 0 };
      if (!known) groups.push(group);
      group.count += 1;
      most = Math.max(most, group.count);
      return known !== undefined;
    },
    isEnough: () => most >= enoughAlike,
  };
}

const areAlike = (one: PageLook, other: PageLook): boolean =>
  one.status === other.status &&
  one.contentType === other.contentType &&
  (one.shape && other.shape ? likenessOf(one.shape, other.shape) >= likeness : one.shape === other.shape);

/** Addresses of one route with the same names of parameters, which one piece of code serves. */
export type Template = {
  add(lead: Lead): void;
  /** Counts one that is beyond the limit. */
  drop(lead: Lead): void;
  /**
   * Gives the next to fetch; undefined while the last ones have no answer yet, and when the rest need not be fetched.
   * @param isRoomy of a route with few pages all may be fetched
   */
  take(isRoomy: boolean): Lead | undefined;
  /** What one that was taken looks like; undefined when it gave no answer. */
  saw(look: PageLook | undefined): void;
  taken(): number;
  /** Those that were not taken. */
  left(): { count: number; example?: string };
  /** Pages that were compared stand for those that are left. */
  isCovered(): boolean;
  /** One that waits; undefined when there is none. */
  waiting(): Lead | undefined;
  /** Its pages differ, and no more of them are fetched. */
  isExhausted(): boolean;
};

export function createTemplate(): Template {
  const comparison = createComparison();
  const waiting: Lead[] = [];
  let dropped = 0;
  let firstDropped: string | undefined;
  let taken = 0;
  let answered = 0;
  let takesInput = false;
  let sharesInput = false;
  return {
    add(lead) {
      waiting.push(lead);
    },
    drop({ url }) {
      dropped += 1;
      firstDropped ??= url;
    },
    take(isRoomy) {
      const isOpen =
        (isRoomy && taken + waiting.length + dropped <= (takesInput && !sharesInput ? fewForms : fewPages)) ||
        taken < enoughAlike ||
        (answered === taken && !comparison.isEnough() && taken < maxFetched);
      if (!isOpen || waiting.length === 0) return undefined;
      const [lead] = waiting.splice(Math.floor(spread(taken) * waiting.length), 1);
      taken += 1;
      return lead;
    },
    saw(look) {
      answered += 1;
      if (look?.takesInput) takesInput = true;
      if (look?.sharesInput) sharesInput = true;
      if (look) comparison.add(look);
    },
    taken: () => taken,
    waiting: () => waiting[0],
    left: () => {
      const example = waiting[0]?.url ?? firstDropped;
      return { count: waiting.length + dropped, ...(example === undefined ? {} : { example }) };
    },
    isCovered: comparison.isEnough,
    isExhausted: () => taken >= maxFetched,
  };
}

/** Places between 0 and 1 that lie far from those before them: 0, 1/2, 1/4, 3/4, 1/8, … (van der Corput 1935). */
function spread(index: number): number {
  let place = 0;
  for (let [rest, part] = [index, 0.5]; rest > 0; rest >>= 1, part /= 2) place += part * (rest & 1);
  return place;
}
