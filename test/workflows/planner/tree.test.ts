import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Link, type TreeFact, waysIn } from '../../../workflows/planner/tree.ts';

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

const actions = (links: readonly Link[]) => links.map(({ actionId }) => actionId);
const smallest = (id: string, facts: readonly TreeFact[]) => waysIn(facts).to([id])[0];
const waysTo = (id: string, facts: readonly TreeFact[]) => waysIn(facts).to([id]).map(actions);

trees('links come in an order in which each one has what it needs', () => {
  const links = smallest('goal', [goal, session, secret, git]) ?? [];
  assert.equal(actions(links), ['exposure.git', 'chains.secret', 'chains.forge', 'chains.admin']);
});

trees('a fact without one of its parents does not hold', () => {
  assert.is(smallest('goal', [goal, session, git]), undefined);
});

trees('facts that stand on each other do not hold', () => {
  assert.is(smallest('a', [fact('a', 'x.a', ['b']), fact('b', 'x.b', ['a'])]), undefined);
});

trees('a fact that was shown in two ways is reached in both', () => {
  const settings = fact('secret', 'exposure.settings');
  assert.equal(waysTo('goal', [git, secret, settings, session, goal]), [
    ['exposure.settings', 'chains.forge', 'chains.admin'],
    ['exposure.git', 'chains.secret', 'chains.forge', 'chains.admin'],
  ]);
});

trees('a way that takes all actions of another one and more is none', () => {
  const short = fact('goal', 'chains.admin', ['repository']);
  assert.equal(waysTo('goal', [git, secret, session, goal, short]), [['exposure.git', 'chains.admin']]);
});

trees('of two ways by the same actions the one of fewer facts is taken', () => {
  const direct = fact('session', 'chains.forge', ['repository']);
  const again = fact('session', 'chains.forge', ['session2']);
  const other = fact('session2', 'chains.forge', ['repository']);
  const links = smallest('session', [git, other, again, direct]) ?? [];
  assert.equal(
    links.map(({ fact: { id } }) => id),
    ['repository', 'session'],
  );
});

trees('a fact that two needs reach differently stands once in the way', () => {
  const facts = [
    fact('key', 'x.a'),
    fact('key', 'x.b'),
    fact('left', 'x.a', ['key']),
    fact('right', 'x.b', ['key']),
    fact('both', 'x.both', ['left', 'right']),
  ];
  const [links = []] = waysIn(facts).to(['both']);
  assert.is(links.length, 4);
  assert.equal([...new Set(actions(links))].sort(), ['x.a', 'x.b', 'x.both']);
});

trees('more kinds than are kept are reported', () => {
  const many = Array.from({ length: 17 }, (_, index) => fact('key', `x.a${index}`));
  assert.is(waysIn(many.slice(1)).isCut, false);
  const { isCut, to } = waysIn(many);
  assert.is(isCut, true);
  assert.is(to(['key']).length, 16);
});

/** Facts in several ways, each of which stands on any other facts: circles and all. */
const anyRows = fc
  .array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 4 }), fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 })), {
    maxLength: 11,
  })
  .map((rows) =>
    rows.map(([id, action, parents]) =>
      fact(
        `f${id}`,
        `x.a${action}`,
        parents.map((parent) => `f${parent}`),
      ),
    ),
  );

/** Every set of actions that reaches a fact when each fact is reached in one way, however large. */
function everySet(id: string, rows: readonly TreeFact[]): Set<string>[] {
  const choices = [...Map.groupBy(rows, (row) => row.id).values()];
  const picks = choices.reduce<TreeFact[][]>(
    (some, ways) => some.flatMap((pick) => ways.map((way) => [...pick, way])),
    [[]],
  );
  return picks.flatMap((pick) => {
    const used = new Set<string>();
    const holds = (one: string, above: readonly string[]): boolean => {
      const row = pick.find((each) => each.id === one);
      if (!row || above.includes(one)) return false;
      used.add(row.actionId);
      return row.parents.every((parent) => holds(parent, [...above, one]));
    };
    return holds(id, []) ? [used] : [];
  });
}

const words = (sets: Iterable<Set<string>>) => [...new Set([...sets].map((set) => [...set].sort().join(' ')))].sort();

trees('the ways are by exactly the sets of actions that hold no smaller one', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const all = everySet('f0', rows);
      const least = all.filter(
        (set) => !all.some((other) => other.size < set.size && [...other].every((id) => set.has(id))),
      );
      const found = waysTo('f0', rows).map((ids) => new Set(ids));
      assert.equal(words(found), words(least));
      assert.is(found.length, words(found).length, 'one way of each kind');
    }),
    { numRuns: 500 },
  );
});

trees('links are complete and in order, each fact stands once, and the last is the one that was asked for', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      for (const links of waysIn(rows).to(['f0'])) {
        const before = new Set<string>();
        for (const link of links) {
          assert.ok(link.needs.every((id) => before.has(id)));
          before.add(link.fact.id);
        }
        assert.is(before.size, links.length);
        assert.is(links.at(-1)?.fact.id, 'f0');
        const used = new Set(links.flatMap(({ needs }) => needs));
        assert.ok(links.slice(0, -1).every(({ fact: { id } }) => used.has(id)));
      }
    }),
    { numRuns: 500 },
  );
});

trees('the order in which facts come makes no difference', () => {
  const shuffled = anyRows.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
  );
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      assert.equal(waysIn(others).to(['f0']), waysIn(rows).to(['f0']));
    }),
    { numRuns: 500 },
  );
});

trees.run();
