/** The value at a dotted path, for instance "items.0.runId"; undefined when there is none. */
export function fieldOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null) return undefined;
    return (inner as Record<string, unknown>)[name];
  }, value);
}

export function listOf(value: unknown, path: string): unknown[] {
  const list = fieldOf(value, path);
  if (!Array.isArray(list)) throw new Error(`${path} is no list in ${JSON.stringify(value)}`);
  return list;
}
