import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../dev/demo/demo.ts';
import { patched, type Weakness, type Weaknesses, weaknessNames } from '../../../dev/demo/weaknesses.ts';
import { Visitor } from './client.ts';
import { probes } from './probes/all.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-twins-'));

/** Which weaknesses a shop shows. */
async function shown(twin: boolean | Weaknesses): Promise<Weakness[]> {
  const demo = await startDemo({ folder, port: 0, patched: twin });
  const home = join(folder, twin === false ? 'shop' : 'shop-patched');
  const customer = new Visitor(demo);
  try {
    await customer.logIn('a');
    const shop = { home, customer, dnsServer: demo.dnsServer };
    const answers = await Promise.all(weaknessNames.map((name) => probes[name](customer.another(), shop)));
    return weaknessNames.filter((_, index) => answers[index]);
  } finally {
    await customer.close();
    await demo.close();
  }
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
