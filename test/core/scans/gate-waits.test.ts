import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../../core/errors.ts';
import { createGateWaits } from '../../../core/scans/gate-waits.ts';

const test = suite('gates that are waited for');

const isFull = (take: () => unknown) => assert.throws(take, (error: unknown) => error instanceof Refusal);

test('are counted for each org, and a place that is given back can be taken again', () => {
  const waits = createGateWaits();
  const first = waits.take('a', 2);
  waits.take('a', 2);
  isFull(() => waits.take('a', 2));
  waits.take('b', 1);
  first();
  waits.take('a', 2);
  isFull(() => waits.take('a', 2));
});

test('are counted in all, so that many orgs together do not exceed what one core can look after', () => {
  const waits = createGateWaits(3);
  const places = ['a', 'b', 'c'].map((org) => waits.take(org, 10));
  isFull(() => waits.take('d', 10));
  for (const giveBack of places) giveBack();
  waits.take('d', 10);
});

test.run();
