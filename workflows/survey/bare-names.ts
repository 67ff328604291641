/** Pages of one path are covered when eight of them were looked at: see `folded`. */
export const maxBare = 8;
const maxCounted = 10_000;

/** Addresses whose query is one name without a value: "/?QL50MA". It names a page more often than a parameter, and sites have many. */
type BareNames = {
  /** Whether the address is one beyond the limit of its path, which is counted. */
  isBeyond(url: URL): boolean;
  left(): number;
};

export function createBareNames(): BareNames {
  const byPath = new Map<string, Set<string>>();
  const beyond = new Set<string>();
  return {
    isBeyond({ origin, pathname, search }) {
      if (!/^\?[^=&]+$/.test(search)) return false;
      const path = origin + pathname;
      const names = byPath.get(path) ?? new Set();
      byPath.set(path, names);
      if (names.size < maxBare) names.add(search);
      if (names.has(search)) return false;
      if (beyond.size < maxCounted) beyond.add(path + search);
      return true;
    },
    left: () => beyond.size,
  };
}
