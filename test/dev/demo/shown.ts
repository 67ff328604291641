import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../../dev/demo/demo.ts';
import { type Weakness, type Weaknesses, weaknessNames } from '../../../dev/demo/weaknesses.ts';
import { Visitor } from './client.ts';
import { probes } from './probes/all.ts';

/** Which weaknesses a shop shows that is built so. */
export async function shown(twin: boolean | Weaknesses): Promise<Weakness[]> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-twins-'));
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
    await rm(folder, { recursive: true });
  }
}
