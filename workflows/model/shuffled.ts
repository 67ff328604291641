import { randomInt } from 'node:crypto';

/** The items in an order that nobody can foresee. */
export function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
