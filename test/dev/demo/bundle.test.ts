import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleModules } from '../../../dev/demo/bundle.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-bundle-'));
await writeFile(
  join(folder, 'a.js'),
  [
    '// Numbers',
    'export const one = 1;',
    '/* only in development */',
    'export const hidden = 2;',
    '/* end */',
    '',
  ].join('\n'),
);
await writeFile(join(folder, 'b.js'), ["import { one } from './a.js';", '', 'result.push(one);', ''].join('\n'));
const { script, map } = await bundleModules(folder, ['a.js', 'b.js'], 'all.js');
const bundle = suite('the bundle of modules');

bundle('runs as one script, without what is for development', () => {
  const result: number[] = [];
  runInNewContext(script, { result });
  assert.equal(result, [1]);
  assert.not.match(script, 'hidden');
});

bundle('has a map that leads each line back to its source', () => {
  assert.match(script, /\/\/# sourceMappingURL=all\.js\.map\n$/);
  const read = new SourceMap(JSON.parse(map));
  const lines = script.split('\n');
  const sourceOf = (text: string) => {
    const entry = read.findEntry(
      lines.findIndex((line) => line.includes(text)),
      0,
    );
    return 'originalSource' in entry ? [entry.originalSource, entry.originalLine] : undefined;
  };
  assert.equal(sourceOf('const one'), ['../src/studio/a.js', 1]);
  assert.equal(sourceOf('result.push'), ['../src/studio/b.js', 2]);
});

bundle('has a map with the whole text of the sources', () => {
  assert.match(JSON.parse(map).sourcesContent[0], 'hidden');
});

bundle.after(() => rm(folder, { recursive: true }));
bundle.run();
