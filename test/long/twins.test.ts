import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patched, weaknessNames } from '../../dev/demo/weaknesses.ts';
import { shown } from '../dev/demo/shown.ts';

const twins = suite('the shop with one weakness');

for (const name of weaknessNames) {
  twins(`${name} alone brings this weakness and no other`, async () => {
    assert.equal(await shown({ ...patched, [name]: true }), [name]);
  });
}

twins.run();
