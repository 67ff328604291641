import { glob } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { lockingFamily } from '../model/tasks.ts';
import type { ChainStep, Check } from './contract.ts';
import { type ActionFile, faultsOf, isStep } from './validate.ts';

/** Checks that run in one activity, for instance "headers" or "deep/access". */
export type Family = {
  id: string;
  depth: Check['depth'];
  checks: readonly Check[];
  /** Identity that looks. */
  visitor?: string;
  /** It looks at requests that let somebody in alone, which those before it spare. */
  isOfLogins?: true;
};

export type Registry = {
  /** In order of id, so that every worker of one version gives the same list. */
  families: readonly Family[];
  /** The standard checks that look at requests that let somebody in, when nobody has to log in any more. */
  logins: Family;
  /** The standard checks that look again as an identity, for instance "injection:anna". */
  familiesOf(identity: string): readonly Family[];
  steps: readonly ChainStep[];
  family(id: string): Family | undefined;
  check(id: string): Check | undefined;
  step(id: string): ChainStep | undefined;
};

/** One or more check files are wrong. The message names each file and each fault. */
export class RegistryError extends Error {
  override name = 'RegistryError';
}

const worker = new URL('../', import.meta.url);

/**
 * Finds the checks, `checks/<family>/<name>.check.ts`, and the steps of chains, `chains/<name>.step.ts` (id "chains.<name>"), one
 * export each.
 * @throws RegistryError so that a worker with a bad check does not start
 */
export async function loadRegistry(folder: URL = worker): Promise<Registry> {
  const files = await findFiles(fileURLToPath(folder));
  const loaded = await Promise.all(files.map((path) => load(folder, path)));
  const faults = faultsOf(loaded);
  if (faults.length > 0) throw new RegistryError(`Checks are wrong:\n${faults.map((line) => `  ${line}`).join('\n')}`);
  const checks = loaded.filter(({ path }) => !isStep(path)).map(({ exported }) => exported as Check);
  const steps = loaded.filter(({ path }) => isStep(path)).map(({ exported }) => exported as ChainStep);
  return registryOf(checks, steps);
}

/** A registry of checks that are known to be well formed. */
export function registryOf(checks: readonly Check[], steps: readonly ChainStep[]): Registry {
  const byFamily = Map.groupBy(checks, familyOf);
  const families = byId([...byFamily].map(([id, members]) => ({ id, depth: depthOf(id), checks: inOrder(members) })));
  const logins: Family = {
    id: 'logins',
    depth: 'standard',
    checks: byId(families.flatMap(looksAgain)),
    isOfLogins: true,
  };
  const familiesOf = (identity: string) => families.flatMap((family) => ofVisitor(family, identity));
  return {
    families,
    logins,
    familiesOf,
    steps: byId(steps),
    family(id) {
      const [, identity] = /:(.*)$/s.exec(id) ?? [];
      return [...families, logins, ...(identity === undefined ? [] : familiesOf(identity))].find(
        (each) => each.id === id,
      );
    },
    check: (id) => checks.find((check) => check.id === id),
    step: (id) => steps.find((step) => step.id === id),
  };
}

/** What of a family looks again as an identity. */
function ofVisitor(family: Family, visitor: string): Family[] {
  const again = looksAgain(family);
  return again.length === 0 ? [] : [{ id: `${family.id}:${visitor}`, depth: 'deep', checks: again, visitor }];
}

const looksAgain = ({ checks }: Pick<Family, 'checks'>): Check[] =>
  checks.filter(({ visitors }) => visitors === 'each');

/** Those whose logins a site may count come last. */
const inOrder = (checks: readonly Check[]): Check[] =>
  byId(checks).toSorted((a, b) => Number(a.triesLogins ?? false) - Number(b.triesLogins ?? false));

function familyOf(check: Check): string {
  if (check.mayLockOut) return lockingFamily;
  const [family = ''] = check.id.split('.');
  return check.depth === 'deep' ? `deep/${family}` : family;
}

const depthOf = (family: string): Check['depth'] => (family.startsWith('deep/') ? 'deep' : 'standard');

const byId = <T extends { id: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

async function findFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(`${folder}/{checks/*/*.check,chains/*.step}.ts`))
    found.push(relative(folder, path).replaceAll('\\', '/'));
  return found.sort();
}

async function load(folder: URL, path: string): Promise<ActionFile> {
  try {
    const module: Record<string, unknown> = await import(
      new URL(path, pathToFileURL(`${fileURLToPath(folder)}/`)).href
    );
    const names = Object.keys(module);
    const [name = ''] = names;
    return { path, exported: module[name], exportCount: names.length };
  } catch (error) {
    return { path, exported: undefined, exportCount: 0, loadError: String(error) };
  }
}
