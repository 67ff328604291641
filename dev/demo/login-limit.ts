import type { Weaknesses } from './weaknesses.ts';

const mostFailures = 10;
const windowMs = 60_000;
const mostNames = 10_000;

/** Counts wrong passwords by the name that was given, whether or not an account has it: the limit does not reveal which names exist. */
export type LoginLimit = {
  isReached(name: string): boolean;
  failed(name: string): void;
};

export function createLoginLimit(weaknesses: Weaknesses): LoginLimit {
  const failuresByName = new Map<string, number[]>();
  const recent = (name: string) => (failuresByName.get(name) ?? []).filter((at) => Date.now() - at < windowMs);
  return {
    isReached: (name) => !weaknesses.passwordsGuessable && recent(keyOf(name)).length >= mostFailures,
    failed: (name) => {
      const key = keyOf(name);
      const failures = [...recent(key), Date.now()];
      failuresByName.delete(key);
      failuresByName.set(key, failures);
      const [oldest] = failuresByName.keys();
      if (failuresByName.size > mostNames && oldest !== undefined) failuresByName.delete(oldest);
    },
  };
}

const keyOf = (name: string): string => name.trim().toLowerCase().slice(0, 200);
