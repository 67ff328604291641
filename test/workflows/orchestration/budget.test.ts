import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  lanesFor,
  openBudget,
  partFor,
  shareOf,
  spend,
  standardPart,
} from '../../../workflows/orchestration/budget.ts';

const budgets = suite('budget');

budgets('a standard run has 5,000 requests or 15 minutes, a deep one 50,000 or 2 hours', () => {
  const standard = openBudget('standard', 20, 0);
  const deep = openBudget('deep', 20, 0);
  assert.equal([standard.requests, standard.deadlineMs], [5_000, 15 * 60_000]);
  assert.equal([deep.requests, deep.deadlineMs], [50_000, 120 * 60_000]);
});

budgets('the standard part of a deep run leaves the rest to the deep families', () => {
  const part = standardPart(openBudget('deep', 20, 0), 1_000);
  assert.is(part.requests, 5_000);
  assert.is(part.deadlineMs, 1_000 + 15 * 60_000);
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

budgets('whatever each task uses of its share, all together stay within the requests of the budget', () => {
  const run = fc.record({
    used: fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
    requests: fc.integer({ min: 0, max: 50_000 }),
  });
  fc.assert(
    fc.property(run, ({ used, requests }) => {
      let budget = { ...openBudget('standard', 20, 0), requests };
      const lanes = lanesFor(budget, used.length);
      const running: number[] = [];
      let sent = 0;
      const end = () => {
        const next = running.shift() ?? 0;
        sent += next;
        budget = spend(budget, next);
      };
      let answered = 0;
      for (const part of used) {
        if (running.length === lanes) {
          end();
          answered += 1;
        }
        running.push(Math.floor(shareOf(budget, lanes, used.length - answered).maxRequests * part));
      }
      while (running.length > 0) end();
      return sent <= requests;
    }),
  );
});

budgets('the shares of all lanes stay within the connections and the rate of the host', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 500 }), (tasks, rate) => {
      const budget = openBudget('deep', rate, 0);
      const lanes = lanesFor(budget, tasks);
      const share = shareOf(budget, lanes, tasks);
      return (
        share.maxConnections * lanes <= 5 && share.requestsPerSecond * lanes <= rate + 1e-9 && share.maxConnections >= 1
      );
    }),
  );
});

budgets.run();
