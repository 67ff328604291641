import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearest } from '../../gateway/nearest.ts';

const test = suite('nearest');
const known = ['url', 'depth', 'createdAfter', 'minSeverity'];

const cases: [name: string, meant: string | undefined][] = [
  ['ur', 'url'],
  ['rl', 'url'],
  ['urll', 'url'],
  ['xurl', 'url'],
  ['uri', 'url'],
  ['ulr', 'url'],
  ['URL', 'url'],
  ['Depth', 'depth'],
  ['deph', 'depth'],
  ['detph', 'depth'],
  ['created_after', 'createdAfter'],
  ['min-severity', 'minSeverity'],
  ['urlll', undefined],
  ['u', undefined],
  ['lru', undefined],
  ['dpeht', undefined],
  ['', undefined],
];
for (const [name, meant] of cases) {
  test(`takes "${name}" for ${meant ?? 'nothing known'}`, () => {
    assert.is(nearest(name, known), meant);
  });
}

test.run();
