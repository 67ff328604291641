import type { PageShape } from '../model/surface.ts';
import type { HtmlToken } from '../probe/html/tokens.ts';

const size = 16;
const maxKinds = 2_000;

export function shapeReader(): { read(token: HtmlToken): void; shape(): PageShape } {
  const kinds = new Set<string>();
  return {
    read(token) {
      if (token.kind !== 'start' || kinds.size >= maxKinds) return;
      // Numbers in classes are those of what is shown.
      const classes = (token.attributes.get('class') ?? '').slice(0, 200).replace(/\d+/g, '0').split(/\s+/);
      kinds.add([token.name, ...classes.filter((name) => name !== '').sort()].join('.'));
    },
    shape() {
      const hashes = [...kinds].map(hashOf);
      return Array.from({ length: size }, (_, seed) =>
        hashes.reduce((least, hash) => Math.min(least, mixed(hash, seed)), 2 ** 32),
      );
    },
  };
}

/** Share of the kinds of tags of two pages that both have, about; from 0 to 1. */
export const likenessOf = (one: PageShape, other: PageShape): number =>
  one.filter((least, index) => least === other[index]).length / size;

/** FNV-1a, 32 bits. Source: RFC 9923. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Another function for each seed; the constants are those of MurmurHash3's last step. */
function mixed(hash: number, seed: number): number {
  let value = hash ^ Math.imul(seed + 1, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
