import { suite } from 'uvu';
import { testRows } from './hostile-input/test-rows.ts';

const test = suite('what a target sends to the worker');
await testRows(test, 'usual');
test.run();
