import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const Sums = suite('sums');
Sums('adds', () => assert.is(1 + 1, 2));
Sums.skip('is left for later', () => {});
Sums.run();
