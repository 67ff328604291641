import type { PageShape } from '../model/surface.ts';
import { likenessOf } from './page-shape.ts';

/** What using a page has shown. @property isMore it made a request, or leads to a form, that was not known */
export type DrawnPage = { shapes: PageShape[]; isMore: boolean };

/**
 * HTML that a server gives for every address, and whose script draws the page: the addresses are distinguished by what is drawn. A site
 * that answers every address with one page ends soon.
 */
type Shells = {
  saw(body: string, named: Naming, shown: DrawnPage): void;
  /** Whether further addresses of this HTML that are known in this way promise nothing. */
  isSpent(body: string, named: Naming): boolean;
};

/**
 * What shows that there is such a page: a page leads there, a script's table of routes or a text in it names it, the table
 * has it with a value that we made up, or nothing does. In the
 * order in which they are used.
 */
export const waysToName = ['by-page', 'by-routes', 'by-script', 'by-sample', 'by-guess'] as const;
export type Naming = (typeof waysToName)[number];

/** It may be no page at all. */
export const isGuessed = (named: Naming): boolean => named === 'by-sample' || named === 'by-guess';

/**
 * Pages in a row, known in one way, that showed nothing new: most texts of a library that look like addresses are none. The routes of a
 * table are pages, of which many show a visitor the login only.
 */
const maxBarren: Record<Naming, number> = {
  'by-page': 6,
  'by-routes': 20,
  'by-script': 4,
  'by-sample': 4,
  'by-guess': 3,
};
const likeness = 0.9;

export function createShells(): Shells {
  const shells = new Map<string, { drawn: PageShape[]; barren: Partial<Record<Naming, number>> }>();
  return {
    saw(body, named, { shapes, isMore }) {
      const shell = shells.get(body) ?? { drawn: [], barren: {} };
      shells.set(body, shell);
      const fresh = shapes.filter((shape) => !shell.drawn.some((known) => likenessOf(known, shape) >= likeness));
      shell.drawn.push(...fresh);
      shell.barren[named] = isMore || fresh.length > 0 ? 0 : (shell.barren[named] ?? 0) + 1;
    },
    isSpent: (body, named) => (shells.get(body)?.barren[named] ?? 0) >= maxBarren[named],
  };
}
