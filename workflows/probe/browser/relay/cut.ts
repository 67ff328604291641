export type CutLimits = { maxText: number; maxItems: number };

/** Events of the protocol nest some ten deep; far deeper ones would overflow the stack. */
const maxDepth = 100;

/** A value of JSON with long texts and lists cut, and null for what lies too deep. */
export function cut(value: unknown, limits: CutLimits, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, limits.maxText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return null;
  if (Array.isArray(value)) return value.slice(0, limits.maxItems).map((item) => cut(item, limits, depth + 1));
  const entries = Object.entries(value).slice(0, limits.maxItems);
  return Object.fromEntries(
    entries.map(([name, item]) => [name.slice(0, limits.maxText), cut(item, limits, depth + 1)]),
  );
}
