import type { InputSurface } from '../model/surface.ts';

type LikeAddress = Pick<InputSurface, 'url' | 'sample' | 'others'>;
type FoundAddress = Omit<InputSurface, 'others'> & { othersOf: () => InputSurface['others'] };

/** Addresses beside an input that differ from its own in numbers and the like. */
type LikeAddresses = {
  /** @param known what the list had under this key before */
  note(key: string, known: InputSurface, found: FoundAddress): void;
  /** The input with those that were found. */
  of(key: string, input: InputSurface): InputSurface;
  /** How many were beyond the limit. @param isOwn addresses that are taken up elsewhere */
  left(isOwn: (url: string) => boolean): number;
};

/** Of one input so many are kept. */
export const maxAlike = 24;
const maxCounted = 2_000;

export function createLikeAddresses(): LikeAddresses {
  const kept = new Map<string, Map<string, LikeAddress>>();
  const leftOut = new Map<string, string>();
  const add = (key: string, { url, sample }: Omit<LikeAddress, 'others'>, othersOf: FoundAddress['othersOf']) => {
    const addresses = kept.get(key) ?? new Map<string, LikeAddress>();
    kept.set(key, addresses);
    const path = pathOf(url);
    if (addresses.has(path)) return;
    if (addresses.size <= maxAlike) addresses.set(path, { url, sample, others: othersOf() });
    else if (leftOut.size < maxCounted) leftOut.set(`${key} ${path}`, url);
  };
  return {
    note(key, known, found) {
      if (found.method !== 'GET' || found.in !== 'query') return;
      if (!kept.has(key) && pathOf(known.url) === pathOf(found.url)) return;
      add(key, known, () => known.others);
      add(key, found, found.othersOf);
    },
    of(key, input) {
      const alike = [...(kept.get(key) ?? [])].filter(([path]) => path !== pathOf(input.url)).map(([, each]) => each);
      return alike.length === 0 ? input : { ...input, alike };
    },
    left: (isOwn) => [...leftOut.values()].filter((url) => !isOwn(url)).length,
  };
}

/** An address of many parameters is asked for once for each of them. */
const pathOf = (url: string): string => {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
};
