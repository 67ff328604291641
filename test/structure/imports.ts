import { glob, readFile } from 'node:fs/promises';
import { isBuiltin, stripTypeScriptTypes } from 'node:module';
import { join, posix, sep } from 'node:path';
import { init, parse } from 'es-module-lexer';

await init;

const database = ['pg', 'kysely', '@mikro-orm/'];
const temporal = ['@temporalio/'];
const outside = ['undici', 'playwright-core', '@sparticuz/chromium', 'dns-packet', 'node:dns', 'node:tls'];

/** Each top folder, the folders that it may import besides itself, and the packages that it must not know. */
const folders: Record<string, { mayImport: string[]; mustNotUse: string[] }> = {
  proto: { mayImport: [], mustNotUse: [...database, ...temporal, ...outside] },
  kit: { mayImport: ['proto'], mustNotUse: [...database, ...temporal, ...outside] },
  gateway: { mayImport: ['proto', 'kit'], mustNotUse: [...database, ...temporal, ...outside] },
  core: { mayImport: ['proto', 'kit'], mustNotUse: outside },
  workflows: { mayImport: ['proto', 'kit'], mustNotUse: database },
  // On the open internet: it speaks to whoever calls, and itself to core alone.
  listener: { mayImport: ['proto', 'kit'], mustNotUse: [...database, ...temporal, 'undici', 'node:dns'] },
  cli: { mayImport: ['proto', 'kit'], mustNotUse: [...database, ...temporal] },
  // The published catalogue is made of the checks.
  dev: { mayImport: ['proto', 'kit', 'workflows/checks'], mustNotUse: [] },
  test: { mayImport: ['proto', 'kit', 'gateway', 'core', 'workflows', 'listener', 'cli', 'dev'], mustNotUse: [] },
};

/** Folders that are deployed: they find only `dependencies` there. */
const deployed = ['proto', 'kit', 'gateway', 'core', 'workflows', 'listener', 'cli'];

type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

/** Source files of a project in its top folders, relative to it, with slashes. */
export async function sourceFiles(project: string): Promise<string[]> {
  const files: string[] = [];
  for (const top of Object.keys(folders)) {
    for await (const file of glob(`${top}/**/*.{ts,mjs}`, { cwd: project })) files.push(file.split(sep).join('/'));
  }
  return files.sort();
}

/**
 * Specifiers of a file's imports and re-exports: static, dynamic, and those of types alone.
 * @param source TypeScript with erasable syntax
 */
export function importsOf(source: string): string[] {
  // Type stripping would take imports of types away, and they cross lines too.
  const asValues = source.replace(/\bimport type (?=[\w{*])/g, 'import ').replace(/\bexport type (?=[{*])/g, 'export ');
  const [imports] = parse(stripTypeScriptTypes(asValues));
  const inTypes = [...source.matchAll(/\bimport\(\s*(['"])([^'"]+)\1\s*\)/g)].flatMap((match) => match[2] ?? []);
  return [...new Set([...imports.flatMap(({ n }) => n ?? []), ...inTypes])];
}

/**
 * What is wrong with a file's imports, in words.
 * @param path relative to the project, with slashes
 */
export function violations(path: string, source: string, manifest: Manifest): string[] {
  const top = path.split('/')[0] ?? '';
  const rule = folders[top];
  if (!rule) return [`${path} is in no known folder`];
  return importsOf(source).flatMap((specifier) => {
    if (specifier.startsWith('.')) return ofOurs(path, top, specifier, rule.mayImport);
    return ofPackages(path, top, specifier, rule.mustNotUse, manifest);
  });
}

function ofOurs(path: string, top: string, specifier: string, mayImport: string[]): string[] {
  const target = posix.join(posix.dirname(path), specifier);
  if ([top, ...mayImport].some((folder) => target.startsWith(`${folder}/`))) return [];
  return [`${path} imports ${target}: ${top}/ may import ${mayImport.join(', ') || 'nothing of ours'}`];
}

function ofPackages(path: string, top: string, specifier: string, banned: string[], manifest: Manifest): string[] {
  const name = packageOf(specifier);
  const wrong: string[] = [];
  if (banned.some((ban) => (ban.endsWith('/') ? name.startsWith(ban) : specifier === ban || name === ban))) {
    wrong.push(`${path} imports ${specifier}, which ${top}/ must not know`);
  }
  if (isBuiltin(specifier)) return wrong;
  if (name in manifest.dependencies) return wrong;
  if (!(name in manifest.devDependencies))
    return [...wrong, `${path} imports ${name}, which package.json does not name`];
  if (deployed.includes(top)) wrong.push(`${path} imports ${name}, which is only there in development`);
  return wrong;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const manifestOf = async (project: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));

/** Entries of `dependencies` that no deployed folder imports. */
export async function unusedDependencies(project: string): Promise<string[]> {
  const files = (await sourceFiles(project)).filter((file) => deployed.includes(file.split('/')[0] ?? ''));
  const sources = await Promise.all(files.map((file) => readFile(join(project, file), 'utf8')));
  // Of some packages only the files are used, which are found by their manifest.
  const read = sources.flatMap((source) =>
    [...source.matchAll(/\bfindPackageJSON\('([^']+)'/g)].flatMap(([, name]) => name ?? []),
  );
  const used = new Set([...sources.flatMap(importsOf).map(packageOf), ...read]);
  return Object.keys((await manifestOf(project)).dependencies).filter((name) => !used.has(name));
}

/** Everything that is wrong in a project. */
export async function allViolations(project: string): Promise<string[]> {
  const manifest = await manifestOf(project);
  const files = await sourceFiles(project);
  const found = await Promise.all(
    files.map(async (path) => violations(path, await readFile(join(project, path), 'utf8'), manifest)),
  );
  return found.flat();
}
