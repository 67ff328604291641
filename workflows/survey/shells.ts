import type { PageShape } from '../model/surface.ts';
import { likenessOf } from './page-shape.ts';

/** What using a page has shown. @property isMore it made a request, or leads to a form, that was not known */
export type DrawnPage = { shapes: PageShape[]; isMore: boolean };

/**
 * HTML that a server gives for every address, and whose script draws the page: the addresses are told apart by what is drawn. A site
 * that answers every address with one page ends soon.
 */
export type Shells = {
  saw(body: string, shown: DrawnPage): void;
  /** Whether further addresses of this HTML promise nothing. @param isGuess nothing shows that there is such a page */
  isSpent(body: string, isGuess: boolean): boolean;
};

/** Pages in a row that showed nothing new. */
const maxBarren = { guesses: 3, links: 4 };
const likeness = 0.9;

export function createShells(): Shells {
  const shells = new Map<string, { drawn: PageShape[]; barren: number }>();
  return {
    saw(body, { shapes, isMore }) {
      const shell = shells.get(body) ?? { drawn: [], barren: 0 };
      shells.set(body, shell);
      const fresh = shapes.filter((shape) => !shell.drawn.some((known) => likenessOf(known, shape) >= likeness));
      shell.drawn.push(...fresh);
      shell.barren = isMore || fresh.length > 0 ? 0 : shell.barren + 1;
    },
    isSpent: (body, isGuess) => (shells.get(body)?.barren ?? 0) >= (isGuess ? maxBarren.guesses : maxBarren.links),
  };
}
