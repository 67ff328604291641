/** A document of somebody else's: any of it may be of another type than its format says. */
export type Node = Record<string, unknown>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const nodesOf = (value: unknown): Node[] => listOf(value).filter(isNode);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const entriesOf = (value: unknown): [string, unknown][] => Object.entries(nodeOf(value));

/** More names of an object than are kept of anything. */
const maxNames = 300;

const firstNamesOf = new WeakMap<Node, string[]>();

/**
 * The first names of an object. References make one object stand in thousands of places, and listing names takes as long
 * as there are names, however few are looked at: so it is done once.
 */
export function firstNames(node: Node): readonly string[] {
  const names = firstNamesOf.get(node) ?? Object.keys(node).slice(0, maxNames);
  firstNamesOf.set(node, names);
  return names;
}
