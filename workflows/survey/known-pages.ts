import type { ExploredPage } from '../model/surface.ts';
import { runAlike } from './page-code.ts';
import { isGuessed, type Naming } from './shells.ts';

/** Pages whose script is used, or was by others. */
type KnownPages = {
  /** @returns whether the page promises something that those known do not, which it is one of then */
  take(page: ExploredPage, named: Naming): boolean;
};

/** Pages built alike that are used for what script can take hold of in them: each takes seconds. */
const maxForHooks = 10;

/**
 * Many sites use one script for all pages, whose common frame is larger than their content: the script acts on the elements that it
 * finds.
 */
export function createKnownPages(explored: readonly ExploredPage[]): KnownPages {
  const known: { page: ExploredPage; isGuess: boolean }[] = explored.map((page) => ({ page, isGuess: false }));
  const hooksOf = new Map<string, Set<number>>();
  const takenFor = new Map<string, number>();
  const keep = (page: ExploredPage, isGuess: boolean) => {
    known.push({ page, isGuess });
    const hooks = hooksOf.get(page.code) ?? new Set();
    hooksOf.set(page.code, hooks);
    for (const hook of page.hooks ?? []) hooks.add(hook);
  };
  for (const { code, hooks = [] } of explored) hooksOf.set(code, new Set([...(hooksOf.get(code) ?? []), ...hooks]));

  return {
    take(page, named) {
      // A guessed page may not exist, and is no evidence of what a page leads to.
      const isGuess = isGuessed(named);
      const isAlike = known.some((other) => (isGuess || !other.isGuess) && runAlike(other.page, page));
      if (isAlike) {
        const hooks = hooksOf.get(page.code);
        const count = takenFor.get(page.code) ?? 0;
        if (isGuess || count >= maxForHooks || !page.hooks?.some((hook) => !hooks?.has(hook))) return false;
        takenFor.set(page.code, count + 1);
      }
      keep(page, isGuess);
      return true;
    },
  };
}
