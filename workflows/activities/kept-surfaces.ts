import { createHash } from 'node:crypto';
import type { Surface } from '../model/surface.ts';

/** Families of this worker whose surface is kept; of several scans at once. */
const mostKept = 24;

const kept = new Map<string, { digest: string; surface: Surface }>();

/**
 * The surface that the slice before gave its checks, where nothing of it has changed: what checks decide of inputs is known by it, so a
 * slice goes on with what those before it have found out.
 * @param of the run and the family, which no other session shares
 */
export function keptSurface(of: readonly string[], surface: Surface): Surface {
  const key = JSON.stringify(of);
  const digest = createHash('sha256').update(JSON.stringify(surface)).digest('hex');
  const before = kept.get(key);
  const now = before?.digest === digest ? before : { digest, surface };
  kept.delete(key);
  kept.set(key, now);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return now.surface;
}

/** When a family has ended. */
export const forgetSurface = (of: readonly string[]): void => void kept.delete(JSON.stringify(of));
