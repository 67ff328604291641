import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const Sums = suite('sums');
Sums('adds', () => assert.is(1 + 1, 2));
Sums('adds wrongly', () => assert.is(1 + 1, 3));
Sums.run();
