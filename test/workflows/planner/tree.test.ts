import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breakingLink, linksTo, smallestChains, type TreeFact } from '../../../workflows/planner/tree.ts';

const trees = suite('chain tree');

const fact = (id: string, actionId: string, parents: string[] = []): TreeFact => ({
  id,
  kind: id,
  subject: id,
  parents,
  actionId,
});
const git = fact('repository', 'exposure.git');
const secret = fact('secret', 'chains.secret', ['repository']);
const session = fact('session', 'chains.forge', ['secret']);
const goal = fact('goal', 'chains.admin', ['session']);

trees('links come in an order in which each one has what it needs', () => {
  const links = linksTo('goal', [goal, session, secret, git]) ?? [];
  assert.equal(
    links.map(({ actionId }) => actionId),
    ['exposure.git', 'chains.secret', 'chains.forge', 'chains.admin'],
  );
});

trees('a fact without one of its parents does not hold', () => {
  assert.is(linksTo('goal', [goal, session, git]), undefined);
});

trees('facts that stand on each other do not hold', () => {
  assert.is(linksTo('a', [fact('a', 'x.a', ['b']), fact('b', 'x.b', ['a'])]), undefined);
});

trees('of two chains to a goal the smaller one is taken', () => {
  const short = fact('goal2', 'chains.short', ['repository']);
  const chains = smallestChains(
    [
      { goal: 'session(admin)', factId: 'goal' },
      { goal: 'session(admin)', factId: 'goal2' },
    ],
    [git, secret, session, goal, short],
  );
  assert.is(chains.length, 1);
  assert.equal(
    chains[0]?.links.map(({ fact: { id } }) => id),
    ['repository', 'goal2'],
  );
});

trees('a goal that one weakness reaches is no chain', () => {
  assert.equal(smallestChains([{ goal: 'code', factId: 'repository' }], [git]), []);
});

trees('the link to fix is the one on which most chains stand, and of those the first', () => {
  const other = {
    goal: 'code',
    links: linksTo('other', [git, secret, fact('other', 'chains.other', ['secret'])]) ?? [],
  };
  const links = linksTo('goal', [git, secret, session, goal]) ?? [];
  assert.is(breakingLink(links, [{ links }, other]), 'exposure.git');
  const shared = [{ links }, { links: links.slice(1) }];
  assert.is(breakingLink(links, shared), 'chains.secret');
});

trees('links are complete and in order for any facts that only stand on earlier ones', () => {
  const anyFacts = fc
    .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    .map((list) =>
      list.map((parents, index) =>
        fact(
          `f${index}`,
          `x.a${index}`,
          index === 0 ? [] : [...new Set(parents.map((parent) => `f${parent % index}`))],
        ),
      ),
    );
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const links = linksTo(facts.at(-1)?.id ?? '', facts) ?? [];
      const before = new Set<string>();
      for (const link of links) {
        assert.ok(link.needs.every((id) => before.has(id)));
        before.add(link.fact.id);
      }
      assert.is(before.size, links.length);
    }),
  );
});

trees.run();
