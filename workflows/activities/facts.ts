import type { Fact } from '../checks/contract.ts';
import { secretRefOf } from '../checks/facts.ts';
import type { Run } from '../runs.ts';

/**
 * Stores facts, their secrets first and apart from them. One that the run has already keeps its first derivation,
 * so that what a fact stands on never changes under a chain, and no fact comes to stand on itself.
 */
export async function recordFacts(run: Run, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  const known = new Set((await run.listFacts()).map(({ id }) => id));
  const fresh = [...new Map(facts.filter(({ id }) => !known.has(id)).map((fact) => [fact.id, fact])).values()];
  for (const { id, secret } of fresh) if (secret !== undefined) await run.putSecret(secretRefOf(id), secret);
  await run.recordFacts(
    fresh.map(({ secret, ...fact }) => (secret === undefined ? fact : { ...fact, secretRef: secretRefOf(fact.id) })),
  );
}

/** The facts of a run as chain steps take them, secrets opened for those that are asked for. */
export async function loadFacts(run: Run, withSecretsOf: readonly string[] = []): Promise<Fact[]> {
  const stored = await run.listFacts();
  return Promise.all(
    stored.map(async ({ $typeName, $unknown, secretRef, fingerprint, ...fact }) => ({
      ...fact,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(secretRef !== undefined && withSecretsOf.includes(fact.id)
        ? { secret: await run.openSecret(secretRef) }
        : {}),
    })),
  );
}
