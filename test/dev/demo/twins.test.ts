import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patched, weaknessNames } from '../../../dev/demo/weaknesses.ts';
import { firstRows } from '../../support/further.ts';
import { shown } from './shown.ts';

const twins = suite('the shop and its patched twin');

twins('the shop as built shows every weakness', async () => {
  assert.equal(await shown(false), weaknessNames);
});

twins('the patched twin shows none', async () => {
  assert.equal(await shown(true), []);
});

/** Each alone would take a shop of its own: test/long does that. Those that stand side by side are in different ones. */
const groupCount = 8;

for (const group of firstRows([...Array(groupCount).keys()], 1)) {
  const names = weaknessNames.filter((_, index) => index % groupCount === group);
  twins(`${names.join(', ')} bring these weaknesses and no other`, async () => {
    assert.equal(await shown({ ...patched, ...Object.fromEntries(names.map((name) => [name, true])) }), names);
  });
}

twins.run();
