import type { Labels } from '../wire.ts';

/**
 * What a zone proves of a name and type that it gives no records for:
 * - `no-data`: the name, or the wildcard in its place, has these types, not the one asked for
 * - `no-name`: neither is there
 * - `opt-out`: there may be an unsigned delegation, and nothing else
 * - `too-many-iterations`: hashing so often is refused, and the zone counts as not signed (RFC 9276 §3.2)
 */
export type Denial =
  | { kind: 'no-data'; types: ReadonlySet<number> }
  | { kind: 'no-name' }
  | { kind: 'opt-out' }
  | { kind: 'too-many-iterations' };

export type ZoneQuestion = { name: Labels; type: number };
