export type CutLimits = { maxText: number; maxItems: number };

/** A value of JSON with long texts and lists cut. */
export function cut(value: unknown, limits: CutLimits): unknown {
  if (typeof value === 'string') return value.slice(0, limits.maxText);
  if (Array.isArray(value)) return value.slice(0, limits.maxItems).map((item) => cut(item, limits));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, limits.maxItems);
  return Object.fromEntries(entries.map(([name, item]) => [name.slice(0, limits.maxText), cut(item, limits)]));
}
