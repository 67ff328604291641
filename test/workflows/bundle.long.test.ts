import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workflowBundle } from '../../workflows/bundle.ts';

const bundle = suite('workflow bundle');

bundle('it is made once, also by workers that start at the same time, and found again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bundle-'));
  try {
    const [first, second] = await Promise.all([workflowBundle(folder), workflowBundle(folder)]);
    assert.is(first, second);
    assert.is((await readdir(folder)).length, 1);
    await utimes(first, 1, 1);
    assert.is(await workflowBundle(folder), first);
    assert.is((await stat(first)).mtimeMs, 1_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

bundle.run();
