import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  divide,
  openBudget,
  partFor,
  shareOf,
  shareOfOne,
  spend,
  standardPart,
  total,
} from '../../../workflows/orchestration/budget.ts';

const budgets = suite('budget');

budgets('a standard run has 5,000 requests or 15 minutes, a deep one 50,000 or 2 hours', () => {
  const standard = openBudget('standard', 20, 0);
  const deep = openBudget('deep', 20, 0);
  assert.equal([standard.requests, standard.deadlineMs], [5_000, 15 * 60_000]);
  assert.equal([deep.requests, deep.deadlineMs], [50_000, 120 * 60_000]);
});

budgets('the standard families of a deep run may use half of what is left to it', () => {
  const part = standardPart(openBudget('deep', 20, 0), 'deep', 0);
  assert.equal([part.requests, part.deadlineMs], [25_000, 60 * 60_000]);
  const late = standardPart({ ...openBudget('deep', 20, 0), requests: 900 }, 'deep', 100 * 60_000);
  assert.equal([late.requests, late.deadlineMs], [450, 110 * 60_000]);
  const standard = openBudget('standard', 20, 0);
  assert.equal(standardPart(standard, 'standard', 60_000), standard);
});

budgets('a part for some of the tasks leaves the others theirs, in requests and in time', () => {
  const budget = openBudget('deep', 20, 0);
  assert.equal(partFor(budget, 4, 4, 60_000), budget);
  const part = partFor(budget, 1, 4, 60 * 60_000);
  assert.equal([part.requests, part.deadlineMs], [12_500, 75 * 60_000]);
  assert.is(partFor(budget, 0, 0, 0).requests, 0);
});

budgets('spending more than there is leaves nothing, not less', () => {
  assert.is(spend(openBudget('standard', 20, 0), 9_999).requests, 0);
});

budgets('an activity that runs alone has all', () => {
  const share = shareOf(openBudget('standard', 20, 0));
  assert.equal(share, { maxRequests: 5_000, maxConnections: 5, requestsPerSecond: 20, deadlineMs: 15 * 60_000 });
});

budgets('activities alike that run beside each other have a part of the rate and of the connections each', () => {
  const { maxRequests, ...share } = shareOfOne(openBudget('deep', 20, 0), 4, 3);
  assert.equal(share, { maxConnections: 1, requestsPerSecond: 5, deadlineMs: 120 * 60_000 });
  assert.is(maxRequests, 16_666);
});

budgets('whoever of them begins when others have ended, they stay within the requests', () => {
  const width = 3;
  let left = { ...openBudget('standard', 20, 0), requests: 100 };
  const running: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    const granted = total(running);
    running.push(shareOfOne({ ...left, requests: left.requests - granted }, width, width - running.length).maxRequests);
    assert.ok(total(running) <= left.requests);
    if (running.length === width) left = spend(left, Math.floor((running.splice(count % width, 1)[0] ?? 0) / 2));
  }
});

/** The shares of the first so many, as if all began at once. */
function sharesOf(weights: number[], rate = 100) {
  const budget = openBudget('standard', rate, 0);
  const { width, shareOf } = divide(budget, weights);
  return weights.slice(0, width).map((_, place) => shareOf(place, budget, total(weights)));
}

budgets('equal activities run on a connection each with the same part of the rate', () => {
  const shares = sharesOf([1, 1, 1, 1, 1, 1, 1]);
  assert.equal(
    shares.map(({ maxConnections, requestsPerSecond }) => [maxConnections, requestsPerSecond]),
    Array.from({ length: 5 }, () => [1, 20]),
  );
});

budgets('one that sends more than those beside it has the larger part, and a second connection', () => {
  const shares = sharesOf([600, 100, 50, 50, 50, 50]);
  assert.equal(
    shares.map(({ maxConnections, requestsPerSecond, maxRequests }) => [
      maxConnections,
      requestsPerSecond,
      maxRequests,
    ]),
    [
      [2, 75, 3_333],
      [1, 12.5, 555],
      [1, 6.25, 277],
      [1, 6.25, 277],
    ],
  );
});

budgets('few activities have all connections among them', () => {
  assert.equal(
    sharesOf([1, 1]).map(({ maxConnections }) => maxConnections),
    [3, 2],
  );
  assert.equal(
    sharesOf([9]).map(({ maxConnections, requestsPerSecond }) => [maxConnections, requestsPerSecond]),
    [[5, 100]],
  );
});

const heaviestFirst = fc
  .array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 })
  .map((weights) => weights.toSorted((a, b) => b - a));

budgets('whatever each task uses of its share, all together stay within the requests of the budget', () => {
  const used = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(heaviestFirst, used, fc.integer({ min: 0, max: 50_000 }), (weights, parts, requests) => {
      let budget = { ...openBudget('standard', 20, 0), requests };
      const division = divide(budget, weights);
      const running: { sends: number; weight: number }[] = [];
      let weightLeft = total(weights);
      let sent = 0;
      const end = () => {
        const { sends, weight } = running.shift() ?? { sends: 0, weight: 0 };
        sent += sends;
        weightLeft -= weight;
        budget = spend(budget, sends);
      };
      for (const [place, weight] of weights.entries()) {
        if (running.length === division.width) end();
        const { maxRequests } = division.shareOf(place, budget, weightLeft);
        running.push({ sends: Math.floor(maxRequests * (parts[place] ?? 1)), weight });
      }
      while (running.length > 0) end();
      return sent <= requests;
    }),
  );
});

budgets('whichever run at the same time, their shares stay within the connections and the rate of the host', () => {
  const some = fc.array(fc.nat(), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(heaviestFirst, some, fc.integer({ min: 1, max: 500 }), (weights, picks, rate) => {
      const budget = openBudget('deep', rate, 0);
      const { width, shareOf } = divide(budget, weights);
      const places = [...new Set(picks.map((pick) => pick % weights.length))].slice(0, width);
      const shares = places.map((place) => shareOf(place, budget, total(weights)));
      return (
        total(shares.map(({ maxConnections }) => maxConnections)) <= 5 &&
        total(shares.map(({ requestsPerSecond }) => requestsPerSecond)) <= rate + 1e-9 &&
        shares.every(({ maxConnections, requestsPerSecond }) => maxConnections >= 1 && requestsPerSecond > 0)
      );
    }),
  );
});

budgets.run();
