import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { importsOf, sourceFiles } from './imports.ts';

await init;

/** Files that are found by their names: who loads them imports nothing by name. */
const loadedByName = [
  'workflows/checks/*/*.check.ts',
  'workflows/chains/*.step.ts',
  'workflows/workflows.ts',
  'test/scorecard/cases/**',
  'test/*/planted/**',
  'test/security/hostile-service/*-rows.ts',
  'test/**/*.workflow.ts',
];

const declaredType = /^export (?:declare )?(?:type|interface) (\w+)/gm;
const listedTypes = /^export type \{([^}]*)\}/gm;
const augmented = /^declare module '(\.[^']+)'/gm;
const named = /\b(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '(\.[^']+)'/g;

/** The names of a list in braces, as the file that they are from calls them. */
const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '');

const sourceName = (name: string): string => name.replace(/ as .*$/, '');

/** Values and types that a file exports. */
const exportsOf = (text: string): string[] => [
  ...parse(stripTypeScriptTypes(text))[1].map(({ n }) => n),
  ...[...text.matchAll(declaredType)].map(([, name = '']) => name),
  ...[...text.matchAll(listedTypes)].flatMap(([, list]) => namesIn(list).map((name) => name.replace(/^.* as /, ''))),
];

/** "path name" of each export that no other file imports. @param texts by path, relative to the project */
export function unusedExports(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>();
  for (const [path, text] of texts) {
    const at = (specifier: string) => posix.join(posix.dirname(path), specifier);
    const byName = [...text.matchAll(named)];
    for (const [, list, specifier = ''] of byName)
      for (const name of namesIn(list)) used.add(`${at(specifier)} ${sourceName(name)}`);
    // Whatever is imported as a whole may use all of it.
    for (const [, specifier = ''] of text.matchAll(augmented)) used.add(`${at(specifier)} *`);
    const specifiers = new Set(byName.map(([, , specifier]) => specifier));
    for (const specifier of importsOf(text)) if (!specifiers.has(specifier)) used.add(`${at(specifier)} *`);
  }
  return [...texts].flatMap(([path, text]) => {
    if (used.has(`${path} *`) || loadedByName.some((pattern) => posix.matchesGlob(path, pattern))) return [];
    return exportsOf(text)
      .filter((name) => !used.has(`${path} ${name}`))
      .map((name) => `${path} ${name}`);
  });
}

export async function unusedExportsOf(project: string): Promise<string[]> {
  const paths = (await sourceFiles(project)).filter((path) => !path.startsWith('proto/gen/'));
  const texts = paths.map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const);
  return unusedExports(new Map(await Promise.all(texts)));
}
