import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlanState } from '../../../workflows/model/plan-state.ts';
import { emptyState, keyOf, type PlanAction, type PlanFact, plan } from '../../../workflows/planner/plan.ts';

const plans = suite('plan');

const fact = (
  id: string,
  kind: string,
  attributes: Record<string, string> = {},
  parents: string[] = [],
  actionId = 'x.check',
): PlanFact => ({ id, kind, attributes, parents, actionId });
const action = (id: string, needs: string[], gives: string[], more: Partial<PlanAction> = {}): PlanAction => ({
  id,
  needs: needs.map((kind) => ({ kind })),
  gives,
  cost: 1,
  ...more,
});
const unlimited = { maxSteps: 10_000, maxPerWay: 10_000, maxDepth: 100 };

/** Plans to a fixpoint while facts come in the given portions. */
function planAll(actions: PlanAction[], portions: PlanFact[][], limits = unlimited): string[] {
  let state: PlanState = emptyState;
  const keys: string[] = [];
  const known: PlanFact[] = [];
  for (const portion of [...portions, [], []]) {
    known.push(...portion);
    const next = plan(actions, known, state, limits);
    keys.push(...next.steps.map(keyOf));
    state = next.state;
  }
  return keys;
}

plans('an action is not planned before all its needs are there', () => {
  const two = action('chains.two', ['a', 'b'], ['c']);
  assert.equal(plan([two], [fact('1', 'a')], emptyState).steps, []);
  assert.equal(plan([two], [fact('1', 'a'), fact('2', 'b')], emptyState).steps, [
    { actionId: 'chains.two', factIds: ['1', '2'] },
  ]);
});

plans('a need with attributes takes only facts that have them', () => {
  const admin: PlanAction = {
    ...action('chains.admin', [], []),
    needs: [{ kind: 'session', where: { role: 'admin' } }],
  };
  const facts = [fact('1', 'session', { role: 'user' }), fact('2', 'session', { role: 'admin' })];
  assert.equal(
    plan([admin], facts, emptyState).steps.map(({ factIds }) => factIds),
    [['2']],
  );
});

plans('one fact does not fill two needs of an action', () => {
  const pair = action('chains.pair', ['session', 'session'], []);
  assert.equal(plan([pair], [fact('1', 'session')], emptyState).steps, []);
  assert.is(plan([pair], [fact('1', 'session'), fact('2', 'session')], emptyState).steps.length, 2);
});

plans('the cheapest way to a goal goes first, and what leads to no goal last', () => {
  const actions = [
    action('chains.aimless', ['a'], ['nothing'], { cost: 1 }),
    action('chains.dear', ['a'], [], { cost: 50, goal: 'code' }),
    action('chains.first', ['a'], ['b'], { cost: 2 }),
    action('chains.second', ['b'], [], { cost: 3, goal: 'session(admin)' }),
  ];
  const order = plan(actions, [fact('1', 'a')], emptyState).steps.map(({ actionId }) => actionId);
  assert.equal(order, ['chains.first', 'chains.dear', 'chains.aimless']);
});

plans('a plan has at most 20 steps, and the others come with the next one', () => {
  const actions = Array.from({ length: 30 }, (_, index) => action(`chains.s${index}`, ['a'], []));
  const first = plan(actions, [fact('1', 'a')], emptyState);
  const second = plan(actions, [fact('1', 'a')], first.state);
  const third = plan(actions, [fact('1', 'a')], second.state);
  assert.equal([first.steps.length, second.steps.length, third.steps.length], [20, 10, 0]);
});

const hundred = Array.from({ length: 100 }, (_, index) => fact(`f${index}`, 'a'));

plans('an action is not run on every one of a hundred like facts', () => {
  assert.is(planAll([action('chains.s', ['a'], [])], [hundred], { ...unlimited, maxPerWay: 8 }).length, 8);
});

plans('like facts that one action gave leave slots for those of another one', () => {
  const other = fact('other', 'a', {}, [], 'x.other');
  const keys = planAll([action('chains.s', ['a'], [])], [[...hundred, other]], { ...unlimited, maxPerWay: 8 });
  assert.is(keys.length, 9);
  assert.ok(keys.includes('chains.s other'));
});

plans('what was left untried is reported, unless the same way led on before', () => {
  const step = action('chains.s', ['a'], ['b']);
  const limits = { ...unlimited, maxPerWay: 8 };
  const { leftOut, state } = plan([step], hundred, emptyState, limits);
  assert.equal(leftOut, { bindings: [{ actionId: 'chains.s', tried: 8, count: 92 }], deepFacts: 0 });
  const given = fact('b', 'b', {}, ['f7'], 'chains.s');
  assert.equal(plan([step], [...hundred, given], state, limits).leftOut.bindings, []);
  const elsewhere = fact('b', 'b', {}, ['f7'], 'chains.t');
  assert.is(plan([step], [...hundred, elsewhere], state, limits).leftOut.bindings[0]?.count, 92);
});

plans('facts that stand on too many others wake nothing', () => {
  const chain = Array.from({ length: 10 }, (_, index) =>
    fact(`f${index}`, `k${index}`, {}, index ? [`f${index - 1}`] : []),
  );
  const last = action('chains.s', ['k9'], []);
  assert.equal(planAll([last], [chain], { ...unlimited, maxDepth: 9 }), []);
  assert.is(planAll([last], [chain], { ...unlimited, maxDepth: 10 }).length, 1);
  assert.is(plan([last], chain, emptyState, { ...unlimited, maxDepth: 9 }).leftOut.deepFacts, 1);
  assert.is(plan([], chain, emptyState, { ...unlimited, maxDepth: 9 }).leftOut.deepFacts, 0);
});

plans('a shorter way to a fact brings it back within reach, once', () => {
  const long = [fact('1', 'a'), fact('2', 'b', {}, ['1']), fact('3', 'c', {}, ['2'])];
  const short = fact('3', 'c', {}, ['1'], 'x.short');
  const limits = { ...unlimited, maxDepth: 2 };
  assert.equal(planAll([action('chains.s', ['c'], [])], [long], limits), []);
  assert.equal(planAll([action('chains.s', ['c'], [])], [long, [short], [short]], limits), ['chains.s 3']);
});

plans('facts that only stand on each other, or on nothing known, wake nothing', () => {
  const step = action('chains.s', ['a'], []);
  const circle = [fact('1', 'a', {}, ['2']), fact('2', 'a', {}, ['1']), fact('3', 'a', {}, ['gone'])];
  assert.equal(planAll([step], [circle]), []);
  assert.is(planAll([step], [circle, [fact('1', 'a', {}, [], 'x.other')]]).length, 2);
});

const kinds = ['a', 'b', 'c'];
/** Facts in several ways: each row stands on any others, earlier and later ones. */
const anyFacts = fc
  .array(
    fc.tuple(fc.nat({ max: 7 }), fc.constantFrom('x.a', 'x.b'), fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 2 })),
    {
      maxLength: 12,
    },
  )
  .map((rows) =>
    rows.map(([number, actionId, parents]) => {
      const kind = kinds[number % kinds.length] ?? 'a';
      return fact(`f${number}`, kind, {}, number < 3 ? [] : parents.map((parent) => `f${parent}`), actionId);
    }),
  );
const anyActions = fc
  .array(fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((list) => list.map((needs, index) => action(`chains.s${index}`, needs, [])));
const cut = fc.nat({ max: 8 });

plans('each action fires once for each binding, however the facts come in', () => {
  fc.assert(
    fc.property(anyActions, anyFacts, cut, cut, (actions, facts, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const keys = planAll(actions, [facts.slice(0, from), facts.slice(from, to), facts.slice(to)]);
      return new Set(keys).size === keys.length;
    }),
  );
});

plans('facts that come one by one wake the same bindings as all at once', () => {
  fc.assert(
    fc.property(anyActions, anyFacts, (actions, facts) => {
      const atOnce = planAll(actions, [facts]).sort();
      const oneByOne = planAll(
        actions,
        facts.map((one) => [one]),
      ).sort();
      assert.equal(oneByOne, atOnce);
    }),
  );
});

plans('the same facts and state give the same plan', () => {
  fc.assert(
    fc.property(anyActions, anyFacts, (actions, facts) => {
      assert.equal(plan(actions, facts, emptyState), plan(actions, facts, emptyState));
    }),
  );
});

plans('a state that went through JSON plans on as before', () => {
  fc.assert(
    fc.property(anyActions, anyFacts, cut, (actions, facts, at) => {
      const { state } = plan(actions, facts.slice(0, at), emptyState);
      assert.equal(plan(actions, facts, JSON.parse(JSON.stringify(state))), plan(actions, facts, state));
    }),
  );
});

plans.run();
