import { testRows } from './hostile-input/test-rows.ts';

await testRows('usual');
