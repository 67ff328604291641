import { parameterNames } from '../probe/parameter-names.ts';
import { parentOf } from './asking.ts';
import type { Lead } from './lead.ts';
import { createComparison, enoughAlike, type PageLook } from './template.ts';

/** Pages below the same path whose routes differ, as those of articles do: catalogues go on, endless ones end. */
const maxSiblings = 80;
/** The same while the last ones led to inputs of their own, as those of a list of forms do. */
const maxFruitful = 240;

/** Pages below one path. */
type SurveyedFolder = {
  routes: number;
  comparison: ReturnType<typeof createComparison>;
  /** How many of the last ones led to no input that was not known. */
  barren: number;
  /** Pages of routes of their own beyond the siblings, and how many more there are. */
  further: Lead[];
  left: number;
  example?: string;
};

/** Bounds pages by the path that they lie below. */
export function createFolders() {
  const folders = new Map<string, SurveyedFolder>();
  const folderOf = (url: URL): SurveyedFolder => {
    const key = parentOf(url);
    const folder = folders.get(key) ?? { routes: 0, comparison: createComparison(), barren: 0, further: [], left: 0 };
    folders.set(key, folder);
    return folder;
  };
  return {
    /** Counts a page of a route of its own. */
    took(url: URL): void {
      folderOf(url).routes += 1;
    },
    isFull: (url: URL): boolean => folderOf(url).routes >= maxSiblings,
    /** Keeps a page of a route of its own for `nextFruitful`. @param isRoomy false when it may only be counted */
    keep(lead: Lead, url: URL, isRoomy: boolean): void {
      const folder = folderOf(url);
      folder.example ??= lead.url;
      if (isRoomy && folder.further.length < maxFruitful) folder.further.push(lead);
      else folder.left += 1;
    },
    saw(url: URL, look: PageLook | undefined): void {
      const folder = folderOf(url);
      if (look) folder.comparison.add(look);
      const leadsToInputs = look?.hasNewInputs || parameterNames(url.searchParams).length > 0;
      folder.barren = leadsToInputs ? 0 : folder.barren + 1;
    },
    /** The first that `take` gives of those kept, of folders in which the last pages led to inputs that were not known. */
    nextFruitful(take: (lead: Lead) => Lead | undefined): Lead | undefined {
      for (const folder of folders.values())
        while (folder.barren < enoughAlike && folder.routes < maxFruitful) {
          const lead = folder.further.shift();
          if (!lead) break;
          const taken = take(lead);
          if (taken) return taken;
        }
      return undefined;
    },
    /** Pages that were not taken, by folder. @property isCovered those that were compared stand for them */
    left: () =>
      [...folders.values()].map(({ comparison, further, left, example = '' }) => ({
        ...{ count: further.length + left, example, isCovered: comparison.isEnough() },
      })),
  };
}
