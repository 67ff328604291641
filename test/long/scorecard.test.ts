import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cardText, meetsTheBar } from '../scorecard/card.ts';
import { score } from '../scorecard/score.ts';

const test = suite('the score card');

test('every check finds its weakness on sites that are built differently, and is silent when they are mended', async () => {
  const startedAt = performance.now();
  const rows = await score({
    checks: new URL('../../workflows/', import.meta.url),
    cases: new URL('../scorecard/cases/', import.meta.url),
    filters: [],
    timeoutMs: 240_000,
    width: Math.min(availableParallelism(), 2),
  });
  assert.ok(meetsTheBar(rows), `\n${cardText(rows, (performance.now() - startedAt) / 1000)}`);
});

test.run();
