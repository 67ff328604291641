import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Demo, startDemo } from '../../../dev/demo/demo.ts';
import { patched, type Weaknesses } from '../../../dev/demo/weaknesses.ts';
import { Visitor } from './client.ts';
import { probes, weaknessNames } from './probes.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-twins-'));

/** Which weaknesses a shop shows. */
async function shown(twin: boolean | Weaknesses): Promise<string[]> {
  const demo: Demo = await startDemo({ folder, port: 0, patched: twin });
  const home = join(folder, twin === false ? 'shop' : 'shop-patched');
  const found: string[] = [];
  try {
    for (const name of weaknessNames) {
      const visitor = new Visitor(demo);
      if (await probes[name](visitor, home).finally(() => visitor.close())) found.push(name);
    }
  } finally {
    await demo.close();
  }
  return found;
}

const twins = suite('the shop and its patched twin');

twins('the shop as built shows every weakness', async () => {
  assert.equal(await shown(false), weaknessNames);
});

twins('the patched twin shows none', async () => {
  assert.equal(await shown(true), []);
});

for (const name of weaknessNames) {
  twins(`${name} alone brings this weakness and no other`, async () => {
    assert.equal(await shown({ ...patched, [name]: true }), [name]);
  });
}

twins.after(() => rm(folder, { recursive: true }));
twins.run();
