import { suite } from 'uvu';
import { testRows } from '../security/hostile-service/test-rows.ts';

const test = suite('hostile input of callers, in all shapes');
await testRows(test, 'all');
test.run();
