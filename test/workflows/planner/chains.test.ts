import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breakingLinks, type Chain, kindOf, smallestChains } from '../../../workflows/planner/chains.ts';
import type { TreeFact } from '../../../workflows/planner/tree.ts';

const fact = (id: string, actionId: string, parents: string[] = []): TreeFact => ({
  id,
  kind: id,
  subject: id,
  parents,
  actionId,
});
/** A shop whose key is in its repository and in its settings, and whose profile takes a role. */
const shop: TreeFact[] = [
  fact('repository', 'exposure.git'),
  fact('key1', 'chains.source', ['repository']),
  fact('key2', 'exposure.settings'),
  fact('key3', 'exposure.settings'),
  fact('role', 'access.assign'),
  fact('admin', 'chains.forge', ['key1']),
  fact('admin', 'chains.forge', ['key2']),
  fact('admin', 'chains.forge', ['key3']),
  fact('admin', 'chains.raise', ['role']),
  fact('data', 'chains.read', ['admin']),
];
const admin = { goal: 'session(admin)', factId: 'admin' };
const ids = ({ links }: Pick<Chain, 'links'>) => links.map(({ actionId }) => actionId);

const smallest = suite('the smallest chains');

smallest('there is one of each kind to a goal, the shortest first', () => {
  assert.equal(smallestChains([admin], shop).chains.map(ids), [
    ['access.assign', 'chains.raise'],
    ['exposure.settings', 'chains.forge'],
    ['exposure.git', 'chains.source', 'chains.forge'],
  ]);
});

smallest('facts of a goal are one goal, wherever it was reached', () => {
  const elsewhere = fact('admin2', 'chains.forge', ['key2']);
  const goals = [admin, { goal: admin.goal, factId: 'admin2' }];
  assert.is(smallestChains(goals, [...shop, elsewhere]).chains.length, 3);
});

smallest('two goals have their own kinds', () => {
  const { chains } = smallestChains([admin, { goal: 'read', factId: 'data' }], shop);
  assert.is(chains.length, 6);
  assert.is(new Set(chains.map(kindOf)).size, 6);
});

smallest('a goal that one weakness reaches is no chain', () => {
  assert.equal(smallestChains([{ goal: 'code', factId: 'repository' }], shop).chains, []);
});

smallest('a kind is known by goal and actions, not by facts nor by their order', () => {
  const [kind] = smallestChains([admin], shop).chains.filter((chain) => ids(chain).includes('exposure.settings'));
  const other = [fact('x', 'exposure.settings'), fact('y', 'chains.forge', ['x'])];
  const [same] = smallestChains([{ goal: admin.goal, factId: 'y' }], other).chains;
  assert.ok(kind && same);
  assert.is(kindOf(kind), kindOf(same));
  assert.is.not(kindOf({ ...kind, goal: 'code' }), kindOf(same));
});

smallest.run();

const breaking = suite('the links to fix');

const chainOf = (...actionIds: string[]): Pick<Chain, 'links'> => ({
  links: actionIds.map((actionId) => ({ actionId, fact: fact(actionId, actionId), needs: [] })),
});

breaking('what most chains stand on breaks them, then what most of the others stand on', () => {
  const forged = [chainOf('git', 'source', 'forge'), chainOf('env', 'forge'), chainOf('weak', 'forge')];
  const stolen = [chainOf('xss', 'cookie', 'steal'), chainOf('dom', 'cookie', 'steal')];
  const role = chainOf('assign', 'raise');
  const chains = [...stolen, ...forged, role];
  const links = breakingLinks(chains);
  assert.equal(
    chains.map((chain) => links.get(chain)),
    ['cookie', 'cookie', 'forge', 'forge', 'forge', 'assign'],
  );
});

breaking('nothing is broken where there is no chain', () => {
  assert.is(breakingLinks([]).size, 0);
  assert.is(breakingLinks([chainOf()]).size, 0);
});

const anyChains = fc
  .array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }), { maxLength: 8 })
  .map((lists) => lists.map((list) => chainOf(...list)));

breaking('each chain has one link to fix, its own, and no action breaks more chains than the first fix', () => {
  fc.assert(
    fc.property(anyChains, (chains) => {
      const links = breakingLinks(chains);
      for (const chain of chains) assert.ok(ids(chain).includes(links.get(chain) ?? ''));
      const counts = (list: (string | undefined)[]) =>
        [...Map.groupBy(list, (id) => id).values()].map((all) => all.length);
      const mostFixed = Math.max(0, ...counts([...links.values()]));
      assert.is(mostFixed, Math.max(0, ...counts(chains.flatMap(ids))));
    }),
  );
});

breaking.run();
