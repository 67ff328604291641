import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unusedExports, unusedExportsOf } from './exports.ts';

const project = join(import.meta.dirname, '..', '..');

const test = suite('exports');

test('that no other file imports are seen, and what is imported as a whole is used', () => {
  const texts = new Map([
    ['core/a.ts', 'export const used = 1;\nexport type Shape = 2;\nexport function alone(): void {}'],
    [
      'core/b.ts',
      "import { used as one } from './a.ts';\nimport type { Shape } from './a.ts';\nexport { one as two };",
    ],
    ['core/c.ts', "import * as all from './d.ts';\nconst text = `\nexport const inText = 1;`;"],
    ['core/d.ts', 'export const any = 1;\nexport type Other = 2;'],
    ['workflows/checks/tls/e.check.ts', 'export const check = 1;'],
  ]);
  assert.equal(unusedExports(texts), ['core/a.ts alone', 'core/b.ts two']);
});

test('are each imported by another file', async () => {
  assert.equal(await unusedExportsOf(project), [], 'take "export" away, or what nobody uses');
});

test.run();
