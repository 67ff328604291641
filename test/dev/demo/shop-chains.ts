import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../dev/demo/demo.ts';
import { identities } from '../../../dev/demo/identities.ts';
import { asBuilt, type Weakness } from '../../../dev/demo/weaknesses.ts';
import { loadRegistry } from '../../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { chainsOn } from '../../workflows/checks/chain-harness.ts';
import { type TestIdentity, testBrowsers } from '../../workflows/checks/harness.ts';

/** A chain of the shop: its links, the mistakes of which each alone makes it possible, and whether it takes a browser or two customers. */
type ShopChain = { goal: string; links: string[]; mistakes: Weakness[]; inBrowser?: true; ofTwo?: true };

/** Chains that are found without a browser. */
export const quickChains: ShopChain[] = [
  {
    goal: 'session(admin)',
    links: ['auth.jwt-weak-secret', 'chains.forge-session'],
    mistakes: ['weakSigningKey', 'roleFromSignedToken'],
  },
  {
    goal: 'session(admin)',
    links: ['access.mass-assignment', 'chains.raise-role'],
    mistakes: ['roleFromProfile'],
  },
  {
    goal: 'session(admin)',
    links: ['exposure.git-repository', 'chains.git-source-secret', 'chains.forge-session'],
    mistakes: ['repositoryServed', 'roleFromSignedToken'],
  },
  {
    goal: 'session(admin)',
    links: ['exposure.environment-file', 'chains.env-secret', 'chains.forge-session'],
    mistakes: ['settingsServed', 'roleFromSignedToken'],
  },
];

type Context = { folder: string; browsers: BrowserPool };
const registry = await loadRegistry();
const customer = (name: 'a' | 'b'): TestIdentity => ({
  ...{ name, checkPath: '/account', marker: identities[name].name },
  login: { path: '/login', username: identities[name].email, password: identities[name].password },
});

const mistakesOf = (chains: readonly ShopChain[]): Weakness[] => [
  ...new Set(chains.flatMap(({ mistakes }) => mistakes)),
];

/**
 * Tests that the shop as built has these chains, and that each mistake that is mended alone ends those that stand on it.
 * With each a chain is tried that stands on something else: it still holds, so the shop is there and the audit works.
 * @param mended mistakes that are mended one by one; all by default
 */
export function testLinks(
  name: string,
  chains: readonly ShopChain[],
  mended: readonly Weakness[] = mistakesOf(chains),
): Test<Context> {
  const links = suite<Context>(name);
  links.before(async (context) => {
    context.folder = await mkdtemp(join(tmpdir(), 'demo-chain-links-'));
    context.browsers = testBrowsers();
  });
  links.after(async ({ folder, browsers }) => {
    await browsers.close();
    await rm(folder, { recursive: true });
  });

  links('the shop as built has each chain, and each holds when it is replayed from nothing', async (context) => {
    assert.equal(await heldOn(context, chains), chains.map(wordOf).sort());
  });

  for (const mistake of mended) {
    const broken = chains.filter(({ mistakes }) => mistakes.includes(mistake));
    const witness = quickChains.filter(({ mistakes }) => !mistakes.includes(mistake)).slice(0, 1);
    // The key of the sessions is what most chains stand on, and the role in them what the others do.
    links(`without ${mistake} alone, what stands on it is gone: ${broken.map(wordOf).join('; ')}`, async (context) => {
      assert.equal(await heldOn(context, [...broken, ...witness], mistake), witness.map(wordOf));
    });
  }
  return links;
}

/** The chains that hold on a shop without one of its mistakes, looked for with the actions of the given ones. */
async function heldOn(
  { folder, browsers }: Context,
  tried: readonly ShopChain[],
  mistake?: Weakness,
): Promise<string[]> {
  const patched = mistake === undefined ? false : { ...asBuilt, [mistake]: false };
  const demo = await startDemo({ folder, port: 0, patched });
  const ids = new Set(tried.flatMap((chain) => chain.links));
  const checks = registry.families.flatMap((family) => family.checks).filter(({ id }) => ids.has(id));
  const steps = registry.steps.filter(({ id }) => ids.has(id));
  try {
    const { held, notLooked, left } = await chainsOn(demo.url, checks, steps, {
      identities: [customer('a'), ...(tried.some(({ ofTwo }) => ofTwo) ? [customer('b')] : [])],
      authority: await readFile(demo.caFile, 'utf8'),
      ...(tried.some(({ inBrowser }) => inBrowser) ? { browsers } : {}),
    });
    assert.equal([notLooked, left], [[], []]);
    return held
      .map(({ goal, links }) => wordOf({ goal, links: links.map(({ actionId }) => actionId), mistakes: [] }))
      .sort();
  } finally {
    await demo.close();
  }
}

const wordOf = ({ goal, links }: ShopChain): string => [goal, ...links.toSorted()].join(' ');
