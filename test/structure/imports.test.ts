import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allViolations, importsOf, sourceFiles, unusedDependencies, violations } from './imports.ts';

const project = join(import.meta.dirname, '..', '..');
const manifest = { dependencies: { fastify: '5', '@mikro-orm/core': '7', undici: '8' }, devDependencies: { uvu: '0' } };

const Scanner = suite('the scanner');

Scanner('sees every way of importing, types included, and nothing in strings and comments', () => {
  const source = `
    import a from './a.ts';
    import type { B } from './b.ts';
    import { type C } from './c.ts';
    export * from './d.ts';
    export type { E } from './e.ts';
    import './f.ts';
    const g = await import('./g.ts');
    type H = import('./h.ts').H;
    // import x from './comment.ts';
    const text = "import y from './string.ts'";
    export type I = string;
    const a2: number = 1;
  `;
  const expected = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.ts`);
  assert.equal(importsOf(source).sort(), expected);
});

Scanner.run();

const Rule = suite('the rules of imports');

const accepted: [string, string][] = [
  ['gateway/app.ts', `import { x } from '../kit/config.ts'; import fastify from 'fastify';`],
  ['gateway/app.ts', `import { x } from './core.ts';`],
  ['core/scans/service.ts', `import { x } from '../../proto/gen/x_pb.ts'; import { p } from '@mikro-orm/core';`],
  ['workflows/probe/http.ts', `import { request } from 'undici'; import dns from 'node:dns/promises';`],
  ['dev/generate.ts', `import { x } from '../workflows/checks/registry.ts';`],
  ['test/core/x.test.ts', `import { x } from '../../core/x.ts'; import { suite } from 'uvu';`],
];
for (const [path, source] of accepted) {
  Rule(`accepts ${path}: ${source}`, () => assert.equal(violations(path, source, manifest), []));
}

const planted: [string, string, string][] = [
  ['gateway/app.ts', `import { x } from '../core/scans/gate.ts';`, 'gateway/app.ts imports core/scans/gate.ts'],
  ['gateway/app.ts', `import type { X } from '../core/entities.ts';`, 'gateway/app.ts imports core/entities.ts'],
  ['gateway/app.ts', `import { p } from '@mikro-orm/core';`, 'gateway/ must not know'],
  ['core/main.ts', `const x = await import('../workflows/worker.ts');`, 'core/main.ts imports workflows/worker.ts'],
  ['core/main.ts', `import { request } from 'undici';`, 'core/ must not know'],
  ['workflows/worker.ts', `import { p } from '@mikro-orm/core';`, 'workflows/ must not know'],
  ['kit/rpc.ts', `import { x } from '../gateway/app.ts';`, 'kit/rpc.ts imports gateway/app.ts'],
  ['dev/stack.ts', `import { x } from '../core/keys/hash.ts';`, 'dev/stack.ts imports core/keys/hash.ts'],
  ['dev/stack.ts', `import { x } from '../workflows/probe/x.ts';`, 'dev/stack.ts imports workflows/probe/x.ts'],
  ['dev/stack.ts', `import { x } from '../workflows/checks-x.ts';`, 'dev/stack.ts imports workflows/checks-x.ts'],
  ['gateway/app.ts', `import { x } from '../test/support/x.ts';`, 'gateway/app.ts imports test/support/x.ts'],
  ['core/main.ts', `import { suite } from 'uvu';`, 'only there in development'],
  ['core/main.ts', `import { left } from 'left-pad';`, 'package.json does not name'],
  ['unknown/x.ts', `import './y.ts';`, 'is in no known folder'],
];
for (const [path, source, message] of planted) {
  Rule(`refuses in ${path}: ${source}`, () => {
    const found = violations(path, source, manifest);
    assert.is(found.length, 1);
    assert.match(found[0] ?? '', message);
  });
}

Rule('holds in this project', async () => {
  assert.equal(await allViolations(project), []);
});

Rule('leaves no dependency that nothing deployed uses', async () => {
  assert.equal(await unusedDependencies(project), []);
});

Rule('is checked for every folder that has files', async () => {
  const folders = new Set((await sourceFiles(project)).map((file) => file.split('/')[0]));
  for (const folder of ['proto', 'kit', 'gateway', 'core', 'workflows', 'dev', 'test'])
    assert.ok(folders.has(folder), folder);
});

Rule.run();
