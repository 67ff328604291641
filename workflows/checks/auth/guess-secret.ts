import { setImmediate as turn } from 'node:timers/promises';
import type { CheckContext } from '../contract.ts';
import { weakSecrets } from './weak-secrets.ts';

/** Guesses between two looks at what else is to be done: a list takes a second of computing. */
const guessesPerTurn = 500;

/**
 * The first of the likely secrets for which something holds. Nothing is sent for this.
 * @param names that people take for words, beside those of the host
 */
export async function guessSecret<T>(
  { surface, signal }: Pick<CheckContext, 'surface' | 'signal'>,
  names: readonly string[],
  holds: (secret: string) => T | undefined,
): Promise<{ secret: string; held: T } | undefined> {
  const labels = [surface.host, ...names]
    .join('.')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  let count = 0;
  for (const secret of weakSecrets([surface.host, ...new Set(labels)])) {
    if (++count % guessesPerTurn === 0) {
      await turn();
      signal.throwIfAborted();
    }
    const held = holds(secret);
    if (held !== undefined) return { secret, held };
  }
  return undefined;
}
