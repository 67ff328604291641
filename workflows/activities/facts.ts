import type { Fact } from '../model/fact.ts';
import type { Run } from '../run/run.ts';
import { opened } from '../run/store.ts';

/**
 * Stores facts, their secrets first and apart from them. One that the run has already gains the way in which it was
 * shown now; its secret stays the first one.
 */
export async function recordFacts(run: Run, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  const known = new Set((await run.listFacts()).map(({ id }) => id));
  const records = [...Map.groupBy(facts, ({ id }) => id).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { id, kind, subject, attributes, secret } = first;
    const derivations = [first, ...others].map(({ parents, actionId, fingerprint }) => ({
      actionId,
      parents,
      ...(fingerprint === undefined ? {} : { fingerprint }),
    }));
    return [{ fact: { id, kind, subject, attributes, derivations }, secret }];
  });
  for (const { fact, secret } of records)
    if (secret !== undefined && !known.has(fact.id)) await opened.keepFact(run, fact.id, secret);
  await run.recordFacts(
    records.map(({ fact, secret }) => (secret === undefined ? fact : { ...fact, secretRef: opened.factRef(fact.id) })),
  );
}

/**
 * The facts of a run as chain steps take them, secrets opened for those that are asked for. A fact that was shown in
 * several ways stands here once for each, the first way first.
 */
export async function loadFacts(run: Run, withSecretsOf: readonly string[] = []): Promise<Fact[]> {
  const stored = await run.listFacts();
  const loaded = stored.map(async ({ id, kind, subject, attributes, secretRef, derivations }) => {
    const isOpened = secretRef !== undefined && withSecretsOf.includes(id);
    const secret = isOpened ? { secret: await opened.fact(run, secretRef) } : {};
    return derivations.map(({ actionId, parents, fingerprint }) => ({
      ...{ id, kind, subject, attributes, parents, actionId },
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...secret,
    }));
  });
  return (await Promise.all(loaded)).flat();
}
