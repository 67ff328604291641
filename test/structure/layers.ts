import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { importsOf, sourceFiles } from './imports.ts';

/**
 * The layers of a folder, from the lowest up: a file imports from its own layer and those below.
 */
const layers: Record<string, string[][]> = {
  core: [
    ['core/{background,crypto,enum-words,errors,fields,grpc-message,ids,paging,storable}.ts', 'core/messages/**'],
    ['core/db/**'],
    ['core/*/{entities,*-entities}.ts', 'core/coverage/{accepted-gaps,families,omissions}.ts'],
    ['core/context.ts'],
    ['core/{access,audit-log,credits,limits,outbox}/**'],
    ['core/orgs/**'],
    ['core/domains/**'],
    ['core/runs/**'],
    ['core/callbacks/**'],
    ['core/coverage/**'],
    ['core/findings/**'],
    ['core/endings/**'],
    ['core/{keys,ownership}/**'],
    ['core/report/**'],
    ['core/scans/**'],
    ['core/{dispatch,housekeeping}/**'],
    ['core/*/service.ts'],
    ['core/interceptors/**', 'core/metrics.ts'],
    ['core/{build,config,entities,health,main,reflection,routes,server,services}.ts'],
  ],
  workflows: [
    ['workflows/model/**', 'workflows/{activity-log,metrics}.ts'],
    ['workflows/run/**'],
    ['workflows/probe/**'],
    ['workflows/survey/**'],
    ['workflows/login/**'],
    ['workflows/proof/**'],
    ['workflows/checks/**'],
    ['workflows/chains/**'],
    ['workflows/planner/**'],
    ['workflows/{observation,ownership,permissions}/**', 'workflows/library-feed.ts'],
    ['workflows/activities/**'],
    ['workflows/orchestration/**'],
    ['workflows/{build,bundle,config,main,ownership.workflow,runtime,scan.workflow,worker,workflows}.ts'],
  ],
};

/** Files by what each imports of the project's own, for instance `core/a.ts` → [`core/b.ts`]. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

export async function importGraph(project: string): Promise<ImportGraph> {
  const files = (await sourceFiles(project)).filter((file) => !file.startsWith('proto/gen/'));
  const entries = files.map(async (file) => {
    const specifiers = importsOf(await readFile(join(project, file), 'utf8'));
    const own = specifiers.filter((specifier) => specifier.startsWith('.'));
    return [file, own.map((specifier) => posix.join(posix.dirname(file), specifier))] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Imports that go up, and files that are in no layer of a folder that has layers. */
export function climbing(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const folder = file.split('/')[0] ?? '';
    if (!layers[folder]) return [];
    const own = layerOf(file, folder);
    if (own === -1) return [`${file} is in no layer of ${folder}/`];
    return imports
      .filter((target) => target.startsWith(`${folder}/`) && layerOf(target, folder) > own)
      .map((target) => `${file} imports ${target}, which is above it`);
  });
}

/** Patterns of file names go before those of folders. */
function layerOf(file: string, folder: string): number {
  const all = layers[folder] ?? [];
  const fits = (pattern: string) => posix.matchesGlob(file, pattern);
  const byName = all.findIndex((patterns) => patterns.some((pattern) => !pattern.endsWith('/**') && fits(pattern)));
  return byName === -1 ? all.findIndex((patterns) => patterns.some(fits)) : byName;
}

/** Imports of what lies beside the checks of another family, or of a family from what all share. */
export function crossing(graph: ImportGraph): string[] {
  const folderOf = (file: string) => /^workflows\/checks\/(?:([\w-]+)\/)?[^/]/.exec(file)?.[1] ?? '';
  const checks = [...graph.keys()].filter((file) => file.startsWith('workflows/checks/'));
  const families = new Set(checks.filter((file) => file.endsWith('.check.ts')).map(folderOf));
  return checks.flatMap((file) =>
    (graph.get(file) ?? [])
      .filter((target) => families.has(folderOf(target)) && folderOf(target) !== folderOf(file))
      .map((target) => `${file} imports ${target}, which is of another family`),
  );
}

/** Circles of files that import each other, each once, as its members in alphabetical order. */
export function circles(graph: ImportGraph): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): void => {
    const at = index.size;
    index.set(file, at);
    lowest.set(file, at);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!index.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? at, lowest.get(target) ?? at));
    }
    if (lowest.get(file) !== at) return;
    const members = open.splice(open.indexOf(file));
    if (members.length > 1) found.push(members.sort());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}
