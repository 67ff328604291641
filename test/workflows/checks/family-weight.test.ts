import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { familyWeight } from '../../../workflows/checks/family-weight.ts';

const weights = suite('weight of a family');

weights('it is what its checks are likely to send', () => {
  assert.is(familyWeight([{ cost: 160 }, { cost: 25 }, {}]), 190);
});

weights('a family that sends little still has its part', () => {
  assert.is(familyWeight([{}, { cost: 10 }]), 130);
  assert.is(familyWeight([]), 130);
});

weights.run();
