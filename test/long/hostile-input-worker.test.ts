import { suite } from 'uvu';
import { testRows } from '../security/hostile-input/test-rows.ts';

const test = suite('what a target sends to the worker, in all sizes');
await testRows(test, 'all');
test.run();
