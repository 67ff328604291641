import { parameterNames } from '../probe/parameter-names.ts';
import { parentOf } from './asking.ts';
import { createComparison, enoughAlike, type PageLook } from './template.ts';

/**
 * Views of pages that are known, with the same parameters for each page below one path: the versions, differences and formats of a
 * wiki's pages. Each page is a route of its own, and would have all its views fetched.
 */
type SiblingViews = {
  saw(url: URL, look: PageLook | undefined): void;
  /** Its page was read, and views of others with the same parameters were alike and brought nothing. */
  isKnown(url: URL): boolean;
};

type ViewsOfFolder = {
  comparison: ReturnType<typeof createComparison>;
  pages: Set<string>;
  /** How many of the last ones brought nothing. */
  barren: number;
};

export function createSiblingViews(): SiblingViews {
  const folders = new Map<string, ViewsOfFolder>();
  const read = new Set<string>();
  const keyOf = (url: URL): string => `${parentOf(url)}?${parameterNames(url.searchParams).join('&')}`;
  return {
    saw(url, look) {
      if (!look) return;
      read.add(url.pathname);
      if (url.search === '') return;
      const key = keyOf(url);
      const folder = folders.get(key) ?? { comparison: createComparison(), pages: new Set<string>(), barren: 0 };
      folders.set(key, folder);
      const isLikeOthers = folder.comparison.add(look);
      folder.pages.add(url.pathname);
      folder.barren = isLikeOthers && look.isBarren === true && !look.takesInput ? folder.barren + 1 : 0;
    },
    isKnown(url) {
      if (url.search === '' || !read.has(url.pathname)) return false;
      const folder = folders.get(keyOf(url));
      return (
        folder !== undefined &&
        folder.barren >= enoughAlike &&
        folder.pages.size >= enoughAlike &&
        folder.comparison.isEnough()
      );
    },
  };
}
