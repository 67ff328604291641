import { testRows } from '../security/hostile-input/test-rows.ts';

await testRows('all');
