import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceFiles } from './imports.ts';

const project = join(import.meta.dirname, '..', '..');
const product = /^(?:workflows|core|gateway|listener|kit|cli|dev)\/.*\.ts$/;
/** Their names are those of changes, which never change after a release. */
const migrations = /^core\/db\/migrations\//;
const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)\b/gm;

/** Names that stand in several files, and in which. */
function twice(texts: ReadonlyMap<string, string>): Record<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, text] of texts)
    for (const [, name = ''] of text.matchAll(declaration)) places.set(name, [...(places.get(name) ?? []), path]);
  return Object.fromEntries([...places].filter(([, paths]) => paths.length > 1));
}

const test = suite('names of types');

test('each stand for one thing in the whole project, exported or not', async () => {
  const paths = (await sourceFiles(project)).filter((path) => product.test(path) && !migrations.test(path));
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const),
  );
  assert.ok(paths.length > 900);
  assert.equal(twice(new Map(texts)), {}, 'name the type for what it is in its file');
});

test('that stand twice are seen, whatever declares them', () => {
  const texts = new Map([
    ['a.ts', 'type Place = 1;\nexport type Other = 2;'],
    ['b.ts', 'export class Place {}\nexport type { Other } from "./a.ts";'],
    ['c.ts', 'export interface Place<T> {}\n  type Inner = 1;'],
  ]);
  assert.equal(twice(texts), { Place: ['a.ts', 'b.ts', 'c.ts'] });
});

test.run();
