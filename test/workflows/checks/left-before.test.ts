import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leftSince } from '../../../workflows/checks/left-before.ts';
import type { Surface } from '../../../workflows/model/surface.ts';

const test = suite('what a check left out before it was cut short');
const slow = { code: 'unclear', count: 1, text: 'a page is slow' } as const;
const cut = { code: 'budget', count: 7, text: '7 inputs were not tried' } as const;

test('counts once, and what the budget kept it from does not', () => {
  const surface = { inputs: [] } as unknown as Surface;
  const first = leftSince(surface, 'family.check');
  for (const left of [slow, slow, cut]) first.leave(left);
  const again = leftSince(surface, 'family.check');
  again.leave(slow);
  again.leave({ ...slow, text: 'another is, too' });
  assert.equal(
    again.omitted.map(({ text }) => text),
    ['a page is slow', 'a page is slow', 'another is, too'],
  );
  assert.equal(
    [leftSince(surface, 'family.other').omitted, leftSince({ ...surface }, 'family.check').omitted],
    [[], []],
  );
});

test.run();
