import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgetSurface, keptSurface } from '../../../workflows/activities/kept-surfaces.ts';
import type { Surface } from '../../../workflows/model/surface.ts';

const test = suite('surfaces that slices share');
const surface = (parameter: string) => ({ inputs: [{ parameter }], pages: [] }) as unknown as Surface;

test('are the same object as long as nothing of them has changed and their family goes on', () => {
  const of = ['run', 'injection'];
  const first = keptSurface(of, surface('a'));
  assert.is(keptSurface(of, surface('a')), first);
  assert.is.not(keptSurface(['run', 'injection:alice'], surface('a')), first);
  const changed = keptSurface(of, surface('b'));
  assert.is.not(changed, first);
  assert.is(keptSurface(of, surface('b')), changed);
  forgetSurface(of);
  assert.is.not(keptSurface(of, surface('b')), changed);
});

test.run();
