/**
 * Folders that answer for a file of theirs: "/shop/" and "/shop/index.php". Where links are relative, each page of the program has two
 * addresses, and all its inputs would be tried twice.
 */
export type IndexPages = {
  /** Two addresses have shown the same. */
  alike(one: string, other: string): void;
  /** The address by its folder, where that was seen to answer for the file; else as it is. */
  byFolder(url: string): string;
};

const indexFile = /(?<=\/)(?:index|default)\.(?:php\d?|html?|aspx?|jsp|cfm)(?:\/(?=[?#]|$))?(?=[?#]|$)/i;

/** The text of a page as it is under both addresses: some write the file into each link. */
export const withoutIndexFile = (text: string): string => text.replace(/\/index\.php\/?(?=["'?])/g, '/');

export function createIndexPages(): IndexPages {
  const files = new Set<string>();
  return {
    alike(one, other) {
      for (const [file, folder] of [
        [one, other],
        [other, one],
      ] as const)
        if (file !== folder && file.replace(indexFile, '') === folder) files.add(pathOf(file));
    },
    byFolder: (url) => (files.size > 0 && files.has(pathOf(url)) ? url.replace(indexFile, '') : url),
  };
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/$/, '');
